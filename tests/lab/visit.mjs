// What every host does: list, set, be refused, be asked, confirm. What came of it, on one line.
export async function visit(call, list) {
  const { tools } = await list();
  const made = await call("reminder_create_natural", { text: "明天早上8点提醒我吃药" });
  const refused = await call("reminder_get", { reminder_id: "rem_none" });
  const asked = await call("reminder_create_natural", { text: "提醒我浇花" });
  const id = made.structuredContent.reminder.id;
  const confirmed = await call("reminder_confirm", { reminder_id: id });
  console.log(JSON.stringify({
    lists: tools.length,
    sets: made.structuredContent.said,
    refused: refused.isError ? refused.content[0].text : "",
    asked: asked.structuredContent?.said ?? "",
    confirms: confirmed.structuredContent.said,
  }));
}

export const answer = async () => ({ action: "accept", content: { when: "明天早上9点" } });
