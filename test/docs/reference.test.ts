// docs/actions.md, docs/triggers.md and docs/fields.md are made of the catalogue of the code and of examples that the API's own decoders
// accept (developer-api.md 3.2 to 3.5, 7.4 to 7.7). To write them anew: npx vitest run test/docs/reference.test.ts -u
import { fileURLToPath } from "node:url"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { actionSpec, actionTypes } from "../../src/domain/automations/actions/registry.ts"
import { catalogueTexts } from "../../src/domain/automations/meta/catalogueTexts.ts"
import { fieldKinds, isOperatorOf, type Operator } from "../../src/domain/automations/schema/operators.ts"
import { type TriggerType, triggers } from "../../src/domain/automations/triggers/registry.ts"
import { fieldTypes, fieldTypeTags } from "../../src/domain/records/fields/registry.ts"
import { actionWords, collectStep } from "./reference/actionExamples.ts"
import { actionMemberWords, actionsPage } from "./reference/actionsPage.ts"
import { fieldsPage, settingWords } from "./reference/fieldsPage.ts"
import { automationProblems, conditionSent, storedField, valuesRead, viewProblem } from "./reference/fieldTrials.ts"
import { unusedWords } from "./reference/schemaMembers.ts"
import { triggerWords } from "./reference/triggerExamples.ts"
import { triggerMemberWords, triggersPage } from "./reference/triggersPage.ts"
import { problemsOf, recordCollection } from "./reference/world.ts"

const path = (name: string) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url))
const texts = catalogueTexts()

describe("docs/actions.md", () => {
  it("has every action of the catalogue, with each member and its meaning", async () => {
    const words = actionMemberWords()
    await expect(actionsPage(JSON.parse(texts.actions), words)).toMatchFileSnapshot(path("actions.md"))
    expect(unusedWords({ ...words, needed: new Set() })).toBe("")
    expect(Object.keys(actionWords)).toHaveLength(actionTypes.length)
  })

  const triggerOf = {
    record: "record_created",
    comment: "record_comment_or_reply_created",
    weblink: "weblink_clicked"
  }
  it.each(actionTypes)("shows %s as the API accepts it and activates it", (type) => {
    const trigger = { type: triggerOf[actionSpec(type).requires ?? "record"], config: {} }
    const actions = [collectStep, { type, config: actionWords[type].config }]
    expect(problemsOf({ trigger, actions })).toStrictEqual([])
  })
})

describe("docs/triggers.md", () => {
  it("has every trigger of the catalogue, with each member, output and its meaning", async () => {
    const words = triggerMemberWords()
    await expect(triggersPage(JSON.parse(texts.triggers), words)).toMatchFileSnapshot(path("triggers.md"))
    expect(unusedWords(words)).toBe("")
  })

  it.each(Object.keys(triggers) as ReadonlyArray<TriggerType>)(
    "shows %s as the API accepts it and activates it",
    (type) => {
      const { config, reads } = triggerWords[type]
      const actions = [{ type: "custom_variable", config: { assignment_code: [reads], custom_variable_defs: [] } }]
      expect(problemsOf({ trigger: { type, config }, actions })).toStrictEqual([])
    }
  )
})

describe("docs/fields.md", () => {
  it("has every field type with its settings, operators, filters and their meaning", async () => {
    const words = settingWords()
    await expect(fieldsPage(words)).toMatchFileSnapshot(path("fields.md"))
    expect(unusedWords(words)).toBe("")
  })

  it.each(fieldTypeTags)("shows %s as the API defines, writes, reads and finds it", (tag) => {
    expect(Result.isSuccess(storedField(tag))).toBe(true)
    if (fieldTypes[tag].assignable) expect(valuesRead(tag)).not.toStrictEqual([])
    expect(viewProblem(tag)).toBe("")
    expect(automationProblems(tag)).toStrictEqual([])
    expect(isOperatorOf(fieldKinds[tag], conditionSent(tag).operator as Operator)).toBe(true)
  })
})

describe("examples", () => {
  it("are judged: one that names what is not there is refused", () => {
    const trigger = { type: "periodic", config: {} }
    const needsRecord = [{ type: "current_record_delete", config: {} }]
    expect(problemsOf({ trigger, actions: needsRecord })).toStrictEqual([
      "action_invalid: `current_record_delete` needs a trigger with a record."
    ])
    expect(problemsOf({ trigger, actions: [{ type: "delay", config: { delay: 1 } }] })[0]).toMatch(/delay/)
  })

  it("hold the limits that the pages name", () => {
    const exits = (count: number) =>
      Array.from({ length: count }, () => ({ type: "exit", config: { exit_type: "success" } }))
    const loops = (depth: number): ReadonlyArray<object> =>
      depth === 0
        ? exits(1)
        : [{ type: "for_loop", config: { iterable: recordCollection, action_rows: loops(depth - 1) } }]
    const trigger = { type: "record_created", config: {} }
    expect(problemsOf({ trigger, actions: exits(200) })).toStrictEqual([])
    expect(problemsOf({ trigger, actions: exits(201) })[0]).toMatch(/200/)
    expect(problemsOf({ trigger, actions: [collectStep, ...loops(3)] })).toStrictEqual([])
    expect(problemsOf({ trigger, actions: [collectStep, ...loops(4)] })[0]).toMatch(/loops/)
  })
})
