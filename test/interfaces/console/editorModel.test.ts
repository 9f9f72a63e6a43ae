// docs/console.md, the editor of automations: its pure parts. Edits of the tree of steps, undo, text with chips, places that errors name, and
// forms for every type in the catalogues.
import { describe, expect, it } from "vitest"
import { pathOf, pathText } from "../../../console/src/pages/automations/editor/model/answerPath.ts"
import { chipOf, partsOf, textOf } from "../../../console/src/pages/automations/editor/model/chips.ts"
import { stepsOfText, stepsText } from "../../../console/src/pages/automations/editor/model/clipboard.ts"
import {
  changesOf,
  definitionFrom,
  definitionOf
} from "../../../console/src/pages/automations/editor/model/definition.ts"
import { unchosenOf, wordsOfChoice } from "../../../console/src/pages/automations/editor/model/formWords.ts"
import { begun, edited, redone, undone } from "../../../console/src/pages/automations/editor/model/history.ts"
import { flowOf } from "../../../console/src/pages/automations/editor/model/layout.ts"
import { numbersOf, numbersText } from "../../../console/src/pages/automations/editor/model/numberList.ts"
import { findings, refusals } from "../../../console/src/pages/automations/editor/model/problems.ts"
import { groupsFor, stepsBefore } from "../../../console/src/pages/automations/editor/model/references.ts"
import { fieldsOf, type JsonSchema } from "../../../console/src/pages/automations/editor/model/schemaForm.ts"
import {
  areAlike,
  changeStep,
  copied,
  duplicateStep,
  flat,
  insertAt,
  moveStep,
  removeStep,
  type Step,
  type Steps
} from "../../../console/src/pages/automations/editor/model/steps.ts"
import {
  completedPlaceholders,
  templatesAt,
  unknownNames,
  withoutSecrets
} from "../../../console/src/pages/automations/editor/model/templates.ts"
import { catalogueTexts } from "../../../src/domain/automations/meta/catalogueTexts.ts"

const leaf = (id: string, config: Step["config"] = {}): Step => ({ id, type: "exit", config })
const branch = (id: string, then: Steps, otherwise?: Steps): Step => ({
  id,
  type: "conditional",
  config: { action_rows: then, ...(otherwise === undefined ? {} : { else_action_rows: otherwise }) }
})
const loop = (id: string, rows: Steps): Step => ({ id, type: "for_loop", config: { action_rows: rows } })
const order = (steps: Steps) =>
  flat(steps).map(
    ({ place, step }) => `${step.id}@${place.parent ?? ""}${place.branch === "action_rows" ? "" : "!"}${place.index}`
  )
const minted = () => {
  let counter = 0
  return () => `new-${++counter}`
}

const tree = [leaf("a"), branch("b", [leaf("c"), leaf("d")], [leaf("e")]), loop("f", [leaf("g")])]

describe("the tree of steps", () => {
  it("is read in order, with the place of each", () => {
    expect(order(tree)).toEqual(["a@0", "b@1", "c@b0", "d@b1", "e@b!0", "f@2", "g@f0"])
  })
  it("is changed, added to and taken from at any depth", () => {
    expect(order(removeStep(tree, "c"))).toEqual(["a@0", "b@1", "d@b0", "e@b!0", "f@2", "g@f0"])
    const position = { parent: "b", branch: "else_action_rows", index: 1 } as const
    expect(order(insertAt(tree, position, [leaf("x")])).slice(4, 6)).toEqual(["e@b!0", "x@b!1"])
    expect(flat(changeStep(tree, "g", (step) => ({ ...step, custom_name: "G" }))).at(-1)?.step.custom_name).toBe("G")
  })
  it("lets a step go up, down, into a branch, on into the other one, and out", () => {
    expect(order(moveStep(tree, "d", "up")).slice(2, 4)).toEqual(["d@b0", "c@b1"])
    expect(moveStep(tree, "a", "up")).toBe(tree)
    expect(order(moveStep(tree, "f", "in"))).toEqual(["a@0", "b@1", "c@b0", "d@b1", "f@b2", "g@f0", "e@b!0"])
    expect(order(moveStep(tree, "c", "in"))).toEqual(["a@0", "b@1", "d@b0", "c@b!0", "e@b!1", "f@2", "g@f0"])
    expect(order(moveStep(tree, "e", "out"))).toEqual(["a@0", "b@1", "c@b0", "d@b1", "e@2", "f@3", "g@f0"])
  })
  it("is copied with ids of its own, also of rows inside configs", () => {
    const row = leaf("h", { condition: { id: "row", rows: [{ id: "inner", code: ["1"] }] } })
    const [copy] = copied([branch("b", [row])], minted())
    expect(JSON.stringify(copy)).not.toMatch(/"row"|"inner"|"h"/)
    expect(duplicateStep(tree, "b", minted())?.steps.map(({ id }) => id)).toEqual(["a", "b", "new-1", "f"])
    expect(stepsOfText(stepsText([tree[1]!]), minted())?.map(({ type }) => type)).toEqual(["conditional"])
    for (const foreign of ["", "text", "[]", "{}", "[1]", "null"])
      expect(stepsOfText(foreign, minted())).toBeUndefined()
  })
  it("is drawn without two parts in one place", () => {
    const { nodes, width } = flowOf(tree)
    const coordinates = nodes.map(({ x, y }) => `${x} ${y}`)
    expect(new Set(coordinates).size).toBe(coordinates.length)
    expect(nodes.every(({ x }) => x >= 0 && x < width)).toBe(true)
    expect(nodes.filter(({ kind }) => kind === "plus")).toHaveLength(4 + 3 + 2 + 2)
  })
})

describe("undo", () => {
  it("goes back and on again; typing into one field is one edit", () => {
    const typed = edited(edited(edited(begun("a"), "ab", "name"), "abc", "name"), "z")
    expect(undone(typed).present).toBe("abc")
    expect(undone(undone(typed)).present).toBe("a")
    expect(redone(undone(undone(typed))).present).toBe("abc")
    expect(undone(begun("a")).present).toBe("a")
  })
})

describe("a definition", () => {
  it("is sent as what was changed; what is taken away is null", () => {
    const saved = definitionFrom({ name: "A", description: "B", timezone: "UTC", trigger: null, actions: [] }, minted())
    const { description: _, ...now } = { ...saved, name: "C" }
    expect(changesOf(saved, now)).toEqual({ name: "C", description: null })
  })
  it("is read without what the service alone assigns", () => {
    const raw = {
      name: "A",
      trigger: { type: "webhook_received", config: { webhook_url: "x" } },
      actions: [{ type: "exit", group: "action" }]
    }
    const read = definitionFrom(raw, minted(), ["webhook_url"])
    expect([read.trigger?.config, read.actions]).toEqual([{}, [{ id: "new-1", type: "exit", config: {} }]])
  })
  it("is refused as text with the place of the mistake", () => {
    const wrong = (raw: unknown) => definitionOf(raw, minted())
    expect(wrong([])).toHaveProperty("mistake")
    expect(wrong({ name: "A", steps: [] })).toHaveProperty("mistake", expect.stringContaining("“steps”"))
    const nested = { name: "A", actions: [{ type: "for_loop", config: { action_rows: [{ type: "exit" }] } }] }
    expect(wrong(nested)).toHaveProperty("mistake", "“actions[0].config.action_rows[0].config” is an object.")
    expect(wrong({ name: "A" })).toHaveProperty("definition.actions", [])
  })
})

describe("text with chips", () => {
  it("holds references as one character each and gives them back", () => {
    const today = { kind: "variable", source: "global", global_type: "current_date" }
    const text = textOf(["On ", today, "."])
    expect(text).toBe(`On ${chipOf(today)}.`)
    expect(partsOf(text)).toEqual(["On ", today, "."])
    expect(partsOf(`a${String.fromCodePoint(0xffff0)}b`)).toEqual(["a", "b"])
  })
})

describe("what is wrong", () => {
  it("is found at its step, by the places that a refused save names", () => {
    const message = [
      'condition "x" at actions[1].config.action_rows[1].config.condition.rows[0]: is empty',
      "trigger.config.cron_expression: has four fields",
      "filter.rows[0].value: expected `text`",
      "actions[2].config.action_rows[0].type: unknown",
      "name: is too long"
    ].join("\n")
    expect(refusals(message, tree).map(({ at, key }) => [at, key])).toEqual([
      ["d", "condition"],
      ["trigger", "cron_expression"],
      ["filter", undefined],
      ["g", "type"],
      ["", undefined]
    ])
  })
  it("of a check stands at trigger, filter and steps; what is switched off does not count", () => {
    const reason = (code: string, action_id: string | null) => ({ code, message: "?", action_id })
    const check = {
      errors: [reason("trigger_missing", null), { ...reason("action_invalid", "c"), deactivated: true as const }],
      warnings: [reason("filter_never_matches", null)]
    }
    expect(findings(check).map(({ at, tone }) => [at, tone])).toEqual([
      ["trigger", "bad"],
      ["c", "warn"],
      ["filter", "warn"]
    ])
  })
  it("of a check stands at the control of its key, without the key", () => {
    const reason = (message: string) => ({ code: "url_parts_glued", message, action_id: "a" })
    const errors = [reason("`http_call_url` is not set."), reason("`http_call` is not active.")]
    const warnings = [reason("`http_call_url`: Two values follow each other.")]
    expect(findings({ errors, warnings }).map(({ key, message }) => [key, message])).toEqual([
      ["http_call_url", "This is required."],
      [undefined, "`http_call` is not active."],
      ["http_call_url", "Two values follow each other."]
    ])
  })
})

describe("what a step can refer to", () => {
  it("follows from the steps before it, which a key in the step leaves alike, and in what is around it too", () => {
    const actions = [leaf("first", { a: [1] }), loop("f", [leaf("inner"), leaf("here")]), leaf("later")]
    const formerSteps = stepsBefore(actions, "here")
    const stepsAfter = (id: string, change: Partial<Step>) =>
      stepsBefore(
        changeStep(actions, id, (step) => ({ ...step, ...change })),
        "here"
      )
    const typed = stepsAfter("here", { config: { text: "k" } })
    expect(typed[1]).not.toBe(formerSteps[1])
    expect(areAlike(formerSteps, typed)).toBe(true)
    expect(areAlike(formerSteps, stepsAfter("later", { config: { text: "k" } }))).toBe(true)
    expect(areAlike(formerSteps, stepsAfter("first", { config: { a: [2] } }))).toBe(false)
    expect(areAlike(formerSteps, stepsAfter("first", { config: {} }))).toBe(false)
    expect(areAlike(formerSteps, stepsAfter("inner", { custom_name: "Moor" }))).toBe(false)
    expect(areAlike(formerSteps, stepsAfter("f", { config: { ...actions[1]!.config, iterable: {} } }))).toBe(false)
    expect(areAlike(formerSteps, formerSteps.slice(1))).toBe(false)
  })

  it("is the record's, and what earlier steps have left", () => {
    const app = { app_id: 1, name: "Ships", fields: [{ field_id: 2, label: "Name", field_type: "single_text" }] }
    const berths = { app_id: 3, name: "Berths", fields: [{ field_id: 4, label: "Place", field_type: "number" }] }
    const collect: Step = { id: "collect", type: "collect_app_records", config: { app_id: 3 } }
    const pdf: Step = { id: "pdf", type: "create_pdf", config: {} }
    const actions = [collect, loop("f", [pdf, leaf("here")]), leaf("later")]
    const definition = {
      name: "",
      timezone: "UTC",
      filter: null,
      trigger: { type: "record_created", config: {} },
      actions
    }
    const apps = new Map([app, berths].map((one) => [one.app_id, one]))
    const earlierSteps = stepsBefore(actions, "here")
    expect(earlierSteps.map(({ id }) => id)).toEqual(["collect", "f", "pdf"])
    const groups = groupsFor(definition.trigger, earlierSteps, app, apps)
    const labels = groups.flatMap(({ choices }) => choices.map(({ label }) => label))
    for (const label of ["Name", "PDF", "Collected records: Berths", "Place", "Today"]) expect(labels).toContain(label)
    expect(groupsFor(definition.trigger, [], app, apps).map(({ group }) => group)).toEqual([
      "The Ships record",
      "Always there"
    ])
  })
})

describe("short templates in a text", () => {
  const field = { field_id: 2, label: "Home port", field_type: "single_text", external_id: "home_port" }
  const app = { app_id: 1, name: "Ships", external_id: "ships", fields: [field] }
  const definition = { name: "", timezone: "UTC", filter: null, trigger: null, actions: [] }
  const lookup = { id: "a", type: "custom_code", custom_name: "Look up" }
  const step: Step = { ...lookup, config: { custom_variable_defs: [{ custom_type: "any", label: "City" }] } }
  const { resolve, shortForm } = templatesAt(definition.trigger, [step], app, new Map([[1, app]]))
  const homePort = {
    ...{ kind: "variable", source: "field", field_id: 2, field_type: "single_text" },
    ...{ previous: false, collection: false, triggering: false }
  }
  const typed = (text: string, from = 0, to = text.length, by = resolve) =>
    completedPlaceholders(text, from, to, by).reduceRight(
      (result, change) => result.slice(0, change.from) + change.insert + result.slice(change.to),
      text
    )

  it("become chips where they are complete, and where the change has touched them", () => {
    const text = '{{ record["Home port"] }} of {{ steps["Look up"].City }}{{ "{{" }}'
    const city = { kind: "variable", source: "custom", custom_type: "any", label: "City" }
    expect(partsOf(typed(text))).toEqual([homePort, " of ", city, "{{"])
    expect(typed("{{ record.home_port }")).toBe("{{ record.home_port }")
    expect(typed("{{ today }} and {{ now", 15, 22)).toBe("{{ today }} and {{ now")
    expect(partsOf(typed("{{ today }} {{ now }}", 20, 21))).toHaveLength(2)
    expect(shortForm(homePort)).toBe("{{ record.home_port }}")
  })
  it("stay text where they name nothing, with the nearest name; a secret only where it may stand", () => {
    const text = "{{ record.home_prt }} {{ today }} {{ vars.City"
    expect(partsOf(typed(text))[0]).toBe("{{ record.home_prt }} ")
    expect(unknownNames(text, resolve)).toEqual([
      '{{ record.home_prt }}: the app "Ships" has no field "home_prt"; did you mean "home_port"?'
    ])
    expect(partsOf(typed("{{ secrets.key }}"))).toEqual([{ kind: "variable", source: "secret", name: "key" }])
    expect(typed("{{ secrets.key }}", 0, 17, withoutSecrets(resolve))).toBe("{{ secrets.key }}")
    expect(unknownNames("{{ secrets.key }}", withoutSecrets(resolve))[0]).toMatch(/read back$/)
  })
})

describe("forms", () => {
  it("every key of every type is in its form; one of them is edited as JSON", () => {
    const texts = catalogueTexts()
    const types: ReadonlyArray<{ type: string; config_schema: JsonSchema }> = [
      ...JSON.parse(texts.actions).actions,
      ...JSON.parse(texts.triggers).triggers
    ]
    expect(types).toHaveLength(44)
    const json = types.flatMap(({ config_schema, type }) =>
      fieldsOf(config_schema).flatMap(({ control, key }) => (control === "json" ? [`${type}.${key}`] : []))
    )
    expect(json).toEqual(["delay.delay_until"])
    const { config_schema: schedule } = types.find(({ type }) => type === "periodic")!
    const scheduleControls = fieldsOf(schedule).map(({ control, key }) => [key, control])
    expect(scheduleControls.filter(([key]) => /^(?:month_|skip_|time)/.test(key!))).toEqual([
      ["time_of_day", "time"],
      ["month_days", "numbers"],
      ["month_weekdays", "list"],
      ["skip_dates", "lines"],
      ["timezone", "zone"]
    ])
    expect([1, 5, -1].map((nth) => wordsOfChoice("nth", nth))).toEqual(["First", "Fifth", "Last"])
    const { config_schema: webhook } = types.find(({ type }) => type === "webhook_received")!
    const controls = fieldsOf(webhook).map(({ control, key }) => [key, control])
    expect(controls.filter(([key]) => /^response_(?:status_value|headers|file|redirect)$/.test(key!))).toEqual([
      ["response_status_value", "template"],
      ["response_headers", "list"],
      ["response_file", "reference"],
      ["response_redirect", "template"]
    ])
    const { config_schema: http } = types.find(({ type }) => type === "http_call")!
    const inside = (key: string) => {
      const schema = http.properties![key]!
      return fieldsOf(http, schema.type === "array" ? schema.items! : schema).map((one) => [one.key, one.control])
    }
    expect(inside("http_call_authentication")).toEqual([
      ["type", "choice"],
      ["username", "template"],
      ["secret", "secret"]
    ])
    expect(inside("http_call_client_certificate").map(([, control]) => control)).toEqual(["secret", "secret"])
    expect(inside("http_call_form")).toEqual([
      ["key", "text"],
      ["value", "template"],
      ["files", "reference"]
    ])
    expect(inside("http_call_paging")).toEqual([
      ["type", "choice"],
      ["next_path", "path"],
      ["cursor_parameter", "text"],
      ["cursor_in", "choice"],
      ["items_path", "path"],
      ["pages_at_most", "number"]
    ])
    for (const { config_schema, type } of types) {
      const internalKeys = /_expanded$|^id$|^(?:else_)?action_rows$/
      const keys = Object.entries(config_schema.properties ?? {}).filter(
        ([key, one]) => !internalKeys.test(key) && one.readOnly !== true
      )
      expect([type, fieldsOf(config_schema).map(({ key }) => key)]).toEqual([type, keys.map(([key]) => key)])
    }
  })
  it("notes and labels speak of no keys; choices have the words of their own schema", () => {
    const texts = catalogueTexts()
    const { actions, retry } = JSON.parse(texts.actions) as any
    const roots: ReadonlyArray<JsonSchema> = [
      retry.schema,
      ...[...actions, ...JSON.parse(texts.triggers).triggers].map(({ config_schema }) => config_schema)
    ]
    // Edited by editors of their own, which have their own words.
    const elsewhere = /^(?:FieldReference|Filter\w*|SecretReference|Property)$/
    const fields = roots.flatMap((root) => [
      ...fieldsOf(root),
      ...Object.keys(root.$defs ?? {})
        .filter((name) => !elsewhere.test(name))
        .flatMap((name) => fieldsOf(root, { $ref: `#/$defs/${name}` }))
    ])
    const internal = fields.flatMap(({ key, label, note = "" }) =>
      /[`_]|left out/.test(`${label}${note}`) ? [`${key}: ${label} ${note}`] : []
    )
    expect(internal).toEqual([])
    const types = fields.filter(({ key, owner }) => key === "type" && owner !== undefined)
    expect([...new Set(types.map(({ owner }) => owner))].toSorted()).toEqual([
      "HttpAuthentication",
      "HttpPaging",
      "WebhookVerification"
    ])
    for (const { key, owner } of types) expect([owner, unchosenOf(key, owner)]).toEqual([owner, "None"])
    expect(wordsOfChoice("type", "github", "WebhookVerification")).toBe("GitHub")
    expect(wordsOfChoice("type", "next_url", "HttpPaging")).toBe("Address in the response")
    expect(wordsOfChoice("http_call_type", "get")).toBe("GET")
  })
  it("a list of numbers is typed with commas; what is no number is refused", () => {
    expect(numbersOf("1, 15,-1")).toEqual([1, 15, -1])
    expect(numbersOf(" 1 15; ")).toEqual([1, 15])
    expect(numbersOf("")).toEqual([])
    for (const text of ["1, last", "1.5", "1-15", "1e3"]) expect(numbersOf(text)).toBeUndefined()
    expect(numbersOf(numbersText([503, 504]))).toEqual([503, 504])
    expect(numbersText(undefined)).toBe("")
  })
  it("a path into an answer reads back as it was typed, whatever its keys hold", () => {
    expect(pathOf("data/items")).toEqual(["data", "items"])
    expect(pathOf("data/-1/id")).toEqual(["data", -1, "id"])
    expect(pathOf("/@odata.nextLink/")).toEqual(["@odata.nextLink"])
    expect(pathOf("")).toEqual([])
    for (const path of [["a/b", "c\\d", 0], ["7", 7], ["-1"], ["x"]]) expect(pathOf(pathText(path))).toEqual(path)
  })
})
