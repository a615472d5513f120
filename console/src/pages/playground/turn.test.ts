import { describe, expect, it } from "vitest";
import { begun } from "./tool-use";
import { askedIn, asking, broken, ended, heard, isOver, settled, stopped, withUse } from "./turn";

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

const message = (id: string, role: string, text: string) => ({ id, role, text });
const OLD = message("1", "user", "Where?");
const MINE = message("2", "user", "Where?");
const REPLY = message("3", "assistant", "In Porto.");

describe("askedIn", () => {
  it("finds the question behind what was said before, never an older one of the same words", () => {
    const turn = asking("Where?", "c", "1");
    expect(askedIn([OLD], turn)).toBe("");
    expect(askedIn([OLD, MINE, REPLY], turn)).toBe("2");
    expect(askedIn([OLD], heard(turn, CHAT))).toBe("m");
  });
});

describe("settled", () => {
  const turn = asking("Where?", "c", "1");

  it("leaves it to the thread when the answer stands there", () => {
    const completed = { ...turn, words: "In Porto.", state: "completed" as const };
    expect(settled(completed, [OLD, MINE, REPLY])).toBeNull();
    expect(settled(completed, [OLD, MINE])).toMatchObject({ words: "In Porto.", asked: "2" });
    expect(settled(stopped(turn), [OLD, MINE, REPLY])).toBeNull();
  });

  it("goes on telling what the thread does not: that it failed, or was stopped", () => {
    expect(settled(broken(turn, "Too slow."), [OLD, MINE, REPLY])).toMatchObject({ error: "Too slow." });
    expect(settled(stopped(turn), [OLD, MINE])).toMatchObject({ state: "stopped", settled: true });
  });

  it("forgets what was stopped before it was sent", () => {
    expect(settled(stopped(turn), [OLD])).toBeNull();
  });
});
