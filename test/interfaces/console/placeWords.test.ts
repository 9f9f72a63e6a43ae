// docs/console.md, Errors: places that the API names in a request are called like the fields of the form, and messages of schemas read as people
// write them.
import { describe, expect, it } from "vitest"

/** Loaded by a path that the checks of the server's types do not follow: the module belongs to the console. */
const { placeWords } = (await import(new URL("../../../console/src/ui/placeWords.ts", import.meta.url).href)) as {
  placeWords: (message: string, labels?: Readonly<Record<string, string>>) => string
}

describe("places of a refused request", () => {
  it.each([
    ["name: Expected a value with a length between 1 and 500", "Name: the length has to be between 1 and 500."],
    ["port: Expected a value between 1 and 65535", "Port has to be between 1 and 65535."],
    [
      'email: Expected a string matching the RegExp ^[^\\s@<>,;"]+@[^\\s@<>,;"]+$',
      "Email has to be an address such as name@example.com."
    ],
    ["layout: Missing key", "Layout has to be filled in."],
    [
      "host: Missing key; port: Expected a value between 1 and 65535",
      "Server has to be filled in. Port has to be between 1 and 65535."
    ],
    ["workspace_ids: an id is unknown.", "Workspaces: an id is unknown."],
    ["types[2]: is sent already", "Events (no. 3) is sent already."],
    ["expires_on: expected a time", "Expires on: expected a time."]
  ])("%s", (message, words) => {
    expect(placeWords(message)).toBe(words)
  })

  it.each([
    ["fields.pages: must be a number or the text of one", "Pages of it must be a number or the text of one."],
    ["inputs[3].fields.pages: is required", "Pages of it has to be filled in."],
    ["fields.e-mail: is no address", "E-mail is no address."],
    ["description: Missing key", "What it is for has to be filled in."]
  ])("%s, by the labels of the form", (message, words) => {
    const labels = { "fields.pages": "Pages of it", description: "What it is for" }
    expect(placeWords(message, labels)).toBe(words)
  })

  it.each([
    "An app has at most 100 views.",
    'There is a secret "KEY" already; replace its value.',
    "The hook is inactive: verify it, then test it."
  ])("a sentence stays as it is: %s", (message) => {
    expect(placeWords(message)).toBe(message)
  })

  it("a list within a message does not begin another place", () => {
    expect(placeWords("fields.sku: two records have it; the field is unique", { "fields.sku": "SKU" })).toBe(
      "SKU: two records have it; the field is unique."
    )
  })
})
