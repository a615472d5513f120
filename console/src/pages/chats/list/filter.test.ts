import { expect, it } from "vitest";
import { best, titled } from "./filter";

const CHATS = [
  { chat_id: "a", title: "Café in Malmö" },
  { chat_id: "tax-2026", title: null },
  { chat_id: "c", title: "Taxes" },
];
const found = (search: string) => titled(CHATS, search).map((chat) => chat.chat_id);

it("finds titles and ids by all words, whatever the case and the accents", () => {
  expect(found("malmo CAFE")).toEqual(["a"]);
  expect(found("tax")).toEqual(["tax-2026", "c"]);
  expect(found("tax 2026")).toEqual(["tax-2026"]);
  expect(found("tea")).toEqual([]);
  expect(found("  ")).toHaveLength(3);
});

it("keeps the best of several searches, each message once", () => {
  const hits = [
    { message_id: "a", score: 0.2 },
    { message_id: "b", score: 0.9 },
    { message_id: "a", score: 0.5 },
    { message_id: "c", score: 0.1 },
  ];
  expect(best(hits, 2)).toEqual([hits[1], hits[2]]);
});
