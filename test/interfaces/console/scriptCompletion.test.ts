// docs/console.md, the editor of automations: what completion offers in a script, from the declarations that the service gives.
import { CompletionContext } from "@codemirror/autocomplete"
import { javascript } from "@codemirror/lang-javascript"
import { EditorState } from "@codemirror/state"
import { describe, expect, it } from "vitest"
import type { Reference } from "../../../console/src/pages/automations/editor/model/definition.ts"
import type { Step } from "../../../console/src/pages/automations/editor/model/steps.ts"
import { foundAt, placeOfScript } from "../../../console/src/pages/automations/editor/script/place.ts"
import { scriptCompletion } from "../../../console/src/pages/automations/editor/script/scriptCompletion.ts"
import { scriptNames } from "../../../src/domain/automations/meta/scriptNames.ts"
import { scriptTypes } from "../../../src/domain/automations/meta/scriptTypes.ts"

const field = (field_id: number, field_type: string, external_id: string, label = external_id) => ({
  field_id,
  field_type,
  external_id,
  label
})
const ships = {
  app_id: 1,
  name: "Ships",
  fields: [
    field(1, "single_text", "name"),
    field(2, "number", "length"),
    field(3, "multi_image", "2-faced", "Two */ faces")
  ]
}
const berths = { app_id: 2, name: "Berths", fields: [field(4, "single_text", "pier")] }
const total = { kind: "variable", source: "custom", custom_type: "any", label: "Unit price" } as unknown as Reference
const groups = [{ group: "Variables of earlier steps", choices: [{ label: "Unit price", reference: total }] }]
const script: Step = { id: "script", type: "custom_code", config: {} }
const inLoop: Step = { id: "inner", type: "set_code", config: {} }
const loop: Step = { id: "loop", type: "for_loop", config: { iterable: { app_id: 2 }, action_rows: [inLoop] } }
const definition = { name: "", description: "", trigger: null, filter: null, actions: [script, loop] } as never

/** What is offered at the bar, in a script of this step. */
const offered = (text: string, chosen = "script") => {
  const cursorOffset = text.indexOf("|")
  const state = EditorState.create({ doc: text.replace("|", ""), extensions: [javascript()] })
  const scriptPlace = placeOfScript(definition, chosen)
  const apps = new Map([ships, berths].map((app) => [app.app_id, app]))
  const completions = foundAt({ names: scriptNames, types: scriptTypes, place: scriptPlace, app: ships, apps, groups })
  return scriptCompletion(completions, groups)(new CompletionContext(state, cursorOffset, false))
}
const labels = (text: string, chosen?: string) => offered(text, chosen)?.options.map(({ label }) => label)

describe("completion in scripts", () => {
  it("offers what a declared value has, through members, calls, await and names of the script's own", () => {
    const record = ["record_id", "app_record_id", "title", "record_url", "fields"]
    expect(labels("current_record.|")).toEqual(record)
    expect(labels("return previous_record?.ti|\nconst other = 1")).toEqual(record)
    expect(labels("api.|")).toEqual(["Record", "Comment", "App", "request"])
    expect(labels("api.Record.|")).toContain("restore")
    expect(labels("(await http.get(url)).|")).toEqual(["status", "headers", "data"])
    expect(
      labels("const { headers: all, ...rest } = await api.App.get(1); const answer = await api.App.get(1); answer.|")
    ).toEqual(["data", "headers"])
    expect(labels("const { comment } = trigger; comment.|")).toContain("reply_id")
    expect(labels("const { weblink: { created_at } } = trigger; created_at.|")).toContain("toUpperCase")
    expect(labels("new URL(address).searchParams.|")).toContain("getAll")
    expect(labels("URL.|")).toEqual(["canParse", "parse"])
    expect(labels("for (const part of new URL(a).searchParams.getAll('b')) part.|")).toContain("padStart")
    expect(labels("trigger.comment.created_by.|")).toEqual(["type", "user_id", "automation_id"])
    expect(labels("crypto.|")).toEqual(["createHash", "createHmac", "randomUUID", "timingSafeEqual"])
    expect(labels("const signed = crypto.createHmac('sha256', key).update(body); signed.|")).toEqual([
      "update",
      "digest"
    ])
    expect(labels("crypto.createHash('md5').update(a).digest('hex').|")).toContain("toUpperCase")
    expect(labels("new TextEncoder().encode(a).|")).toEqual(expect.arrayContaining(["toBase64", "toHex", "subarray"]))
    expect(offered("new TextEncoder().encode(a).|")?.options.filter(({ label }) => label === "toHex")).toHaveLength(1)
    expect(labels("console.|")).toEqual(["log", "info", "warn", "error"])
  })
  it("offers the fields of this app's records by name, with their types, and those of the records that a loop goes through", () => {
    expect(labels("current_record.fields.|")).toEqual(["name", "length", "2-faced"])
    expect(offered("current_record.fields.l|")?.options[1]?.detail).toBe("number | null")
    expect(labels("current_record['fields']['name'].|")).toContain("toUpperCase")
    expect(labels("current_record.fields['2-faced'][0].|")).toContain("download_url")
    expect(labels("loop_item.fields.|", "inner")).toEqual(["pier"])
  })
  it("offers names where they are found: some in custom_code alone, some inside of loops", () => {
    const inScript = labels("a|")
    expect(inScript).toEqual(
      expect.arrayContaining(["api", "current_record", "var_unit_price", "Unit price", "await", "Math"])
    )
    expect(inScript).not.toContain("loop_item")
    const inside = labels("a|", "inner")
    expect(inside).toEqual(expect.arrayContaining(["loop_item", "loop_index", "current_record"]))
    expect(inside).not.toContain("http")
    expect(labels("const amount = 1; a|")?.[0]).toBe("amount")
  })
  it("offers what the language has, without what scripts are not given", () => {
    expect(labels("Math.|")).toEqual(expect.arrayContaining(["round", "max"]))
    expect(labels("[1].|")).toContain("toSorted")
    expect(labels("e|")).not.toContain("eval")
    expect(labels("'a'.|")).not.toContain("blink")
  })
  it("offers nothing in texts and comments, of what it does not know, and where a name is made", () => {
    const sourceTexts = [
      "'current_record.|'",
      "// cur|",
      "/* current_record.| */",
      "unknown.|",
      "const cur|",
      "window.|",
      "var_unit_price.|"
    ]
    for (const nowhere of [...sourceTexts, "data.records.|", "(line) => line.|", "|"])
      expect(offered(nowhere), nowhere).toBeNull()
    expect(labels("`$" + "{current_record.|}`")).toContain("title")
    // A function's own name is not the record.
    expect(offered("const f = (current_record) => current_record.|")).toBeNull()
  })
})
