import { describe, expect, it } from "vitest";
import { begun } from "./tool-use";
import { asking, ended, heard, isOver, stopped, withUse } from "./turn";

const CHAT = { event: "chat", data: { chat_id: "c", message_id: "m" } };
const delta = (words: string) => ({ event: "content.delta", data: { delta: words } });

describe("heard", () => {
  it("follows an answer from the first word to the last", () => {
    let turn = [CHAT, delta("In "), delta("Porto")].reduce(heard, asking("Where?", ""));
    expect(turn).toMatchObject({ chat: "c", asked: "m", words: "In Porto", state: "speaking" });
    turn = heard(turn, { event: "message.completed", data: { text: "In Porto." } });
    expect(turn).toMatchObject({ words: "In Porto.", state: "completed" });
    expect(ended(turn)).toBe(turn);
  });

  it("keeps what was said when the model fails, and says why", () => {
    const turn = [CHAT, delta("In"), { event: "error", data: { error: "Too slow." } }].reduce(
      heard,
      asking("Where?", ""),
    );
    expect(turn).toMatchObject({ words: "In", state: "failed", error: "Too slow." });
  });

  it("believes no event that it does not know", () => {
    const turn = asking("Where?", "c");
    expect(heard(turn, { event: "news", data: null })).toBe(turn);
  });
});

describe("the end", () => {
  it("is told when the stream was cut", () => {
    const turn = ended(heard(asking("Where?", ""), CHAT));
    expect([turn.state, isOver(turn)]).toEqual(["failed", true]);
  });

  it("is no failure when somebody stopped it", () => {
    expect(ended(stopped(heard(asking("Where?", ""), delta("In"))))).toMatchObject({
      state: "stopped",
      words: "In",
    });
  });
});

describe("withUse", () => {
  it("shows a use of a tool once, as it stands", () => {
    const use = begun("1", { content: "User likes tea", category: "preference" });
    const turn = withUse(withUse(asking("?", "c"), use), { ...use, state: "saved" });
    expect(turn.uses.map((item) => item.state)).toEqual(["saved"]);
  });
});
