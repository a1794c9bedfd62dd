// @ts-check
/** Words from the microphone, where the browser offers that. */

/** @returns {any} */
const maker = () => {
  const here = /** @type {any} */ (globalThis);
  return here.SpeechRecognition ?? here.webkitSpeechRecognition;
};

export const canListen = () => typeof maker() === "function";

/**
 * One sentence. `hear` gets what is understood so far, `end` the whole, or nothing.
 * @param {string} language
 * @param {(text: string) => void} hear
 * @param {(text: string) => void} end
 * @returns {() => void} stops it
 */
export function listen(language, hear, end) {
  const Recognition = maker();
  const ear = new Recognition();
  let text = "";
  ear.lang = language === "zh" ? "zh-CN" : "en-US";
  ear.interimResults = true;
  ear.onresult = (/** @type {any} */ event) => {
    text = [...event.results].map((result) => result[0].transcript).join("");
    hear(text);
  };
  ear.onerror = () => ear.abort();
  ear.onend = () => end(text);
  ear.start();
  return () => ear.stop();
}
