// Looks at a page as somebody would who cannot see well, or who has no mouse. Answers what is wrong.
() => {
  const wrong = [];
  const told = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 140)}`);
  const visible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby");
    const label = element.labels?.[0]?.textContent;
    return (element.getAttribute("aria-label") || (by && document.getElementById(by)?.textContent) || label || element.textContent || element.title || "").trim();
  };
  for (const one of document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=button]")) {
    if (!visible(one)) continue;
    if (!nameOf(one)) told("no name", one);
    if (one.tabIndex < 0) told("not reached by keyboard", one);
    const { width, height } = one.getBoundingClientRect();
    if (width < 20 && height < 20 && !one.matches("[type=checkbox]")) told("too small to touch", one);
  }
  for (const one of document.querySelectorAll("svg")) {
    if (one.getAttribute("aria-hidden") !== "true" && !(one.getAttribute("role") === "img" && one.getAttribute("aria-label"))) told("drawing without words", one);
  }
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push(`id twice: ${id}`);
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.title) wrong.push("no title");
  if (document.querySelector("[style]:not(.long, .long *, .meter i)")) told("style in the markup", document.querySelector("[style]:not(.long, .long *, .meter i)"));

  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return paint.getImageData(0, 0, 1, 1).data;
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => { const c = part / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 200) return colour;
    }
    return [255, 255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element || !visible(element) || element.closest("svg, option, .skip, [disabled]")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(rgba(style.color)), light(behind(element))].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) told(`contrast ${ratio.toFixed(2)}`, element);
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) wrong.push(`scrolls sideways by ${wide}`);
  return wrong;
}
