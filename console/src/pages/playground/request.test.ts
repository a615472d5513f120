import { describe, expect, it } from "vitest";
import {
  completionHeaders,
  completionMessages,
  messageBody,
  modelNames,
  newChat,
  type Setup,
} from "./request";

const PLAIN: Setup = {
  model: "",
  persona: "",
  instructions: "",
  sources: "",
  budget: 2000,
  tools: false,
  contextOnly: false,
};
const FULL: Setup = {
  ...PLAIN,
  model: "m",
  persona: "Käte",
  instructions: " Be brief. ",
  sources: "One.\nStill one.\n\n \nTwo.\n",
};

describe("messageBody", () => {
  it("sends only what was chosen", () => {
    expect(messageBody("Hi", "", PLAIN)).toEqual({ text: "Hi", budget: 2000 });
  });

  it("sends everything that was", () => {
    expect(messageBody("Hi", "c", FULL)).toEqual({
      text: "Hi",
      budget: 2000,
      chat_id: "c",
      model: "m",
      persona_id: "Käte",
      instructions: "Be brief.",
      sources: ["One.\nStill one.", "Two."],
    });
  });
});

describe("completions", () => {
  it("say who spoke before, but not what tools said", () => {
    const before = [
      { role: "user", text: "a" },
      { role: "tool", text: "b" },
      { role: "assistant", text: "c" },
    ];
    expect(completionMessages("Hi", FULL, before)).toEqual([
      { role: "system", content: "Be brief.\n\nPassages to answer from:\n[1] One.\nStill one.\n[2] Two." },
      { role: "user", content: "a" },
      { role: "assistant", content: "c" },
      { role: "user", content: "Hi" },
    ]);
  });

  it("tell aside what was not answered: the service would record it once more", () => {
    const before = [
      { role: "assistant", text: "c" },
      { role: "user", text: "Hello?" },
    ];
    expect(completionMessages("Hi", PLAIN, before)).toEqual([
      { role: "system", content: "The user said before, and was not answered:\nHello?" },
      { role: "assistant", content: "c" },
      { role: "user", content: "Hi" },
    ]);
  });

  it("name the chat and the persona in bytes that a header takes", () => {
    const headers = completionHeaders("c", FULL);
    expect(headers["X-Persona-Id"]).toBe("K\u00c3\u00a4te");
    expect(() => new Headers(headers)).not.toThrow();
  });
});

describe("modelNames", () => {
  it("reads what servers list, and no nonsense", () => {
    expect(modelNames({ data: [{ id: "a" }, { id: "a" }, {}, null, { id: 3 }] })).toEqual(["a"]);
    for (const nonsense of [null, "x", {}, { data: "x" }]) expect(modelNames(nonsense)).toEqual([]);
  });
});

it("a chat begins with an id of its own", () => {
  expect(newChat()).not.toBe(newChat());
});
