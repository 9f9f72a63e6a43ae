// Schedules that come due no more, and those that come due more often than they may be meant to (developer-api.md 7.5 rule 2): what activation
// refuses, what validate warns of. Pure; the API asks with the time of the request.
import { assert, describe, it } from "@effect/vitest"
import type { Definition } from "../../../../src/domain/automations/model/Definition.ts"
import type { ValidationModel } from "../../../../src/domain/automations/schema/ValidationModel.ts"
import { validate } from "../../../../src/domain/automations/validation/validateDefinition.ts"
import { scheduleWarnings } from "../../../../src/domain/automations/warnings/scheduleWarnings.ts"

const none = new Set<never>()
const model = {
  ...{ app_id: 1, timezone: "Europe/Vienna", apps: new Set([1]), fields: new Map(), edge_app_ids: none },
  ...{ users: none, records: none, automations: new Map(), secrets: none },
  ...{ now: Date.UTC(2027, 4, 1, 12), min_spacing_ms: 300_000 }
} as unknown as ValidationModel

const findingsOf = (config: object) => {
  const full = { schedule_type: "daily", time_of_day: "00:00", week_days: [], month_days: [], ...config }
  const def = { custom_type: "any", label: "X" }
  const step = { id: "x", type: "custom_variable", config: { assignment_code: ["1"], custom_variable_defs: [def] } }
  const definition = {
    trigger: { type: "periodic", config: full },
    filter: null,
    actions: [step]
  } as unknown as Definition
  return {
    validate: validate(definition, model).map(({ code }) => code),
    activate: validate(definition, model, "activate").map(({ message }) => message),
    warnings: [...scheduleWarnings(definition, model)].map(({ code }) => code)
  }
}

describe("schedules that are over (7.5 rule 2)", () => {
  it("are not activated, and warned of; a run by hand needs no schedule", () => {
    const findings = findingsOf({ ends_at: "2020-01-01 00:00" })
    assert.deepStrictEqual([findings.validate, findings.warnings], [[], ["schedule_over"]])
    assert.deepStrictEqual(findings.activate, [
      "`ends_at` 2020-01-01 00:00 has passed: the schedule never comes due again."
    ])
    for (const config of [
      { ends_at: "2027-05-01T14:00+02:00" },
      { ends_at: "2027-05-01 12:00:00", schedule_type: "interval", interval_amount: 5, interval_unit: "minute" },
      // Nothing is due between.
      { starts_at: "2027-06-01 10:00", ends_at: "2027-06-01 11:00" },
      { ends_at: "2027-05-02 11:00", schedule_type: "interval", interval_amount: 1, interval_unit: "day" },
      { ends_at: "2027-05-20 00:00", schedule_type: "monthly", month_days: [31] },
      { ends_at: "2028-02-28 00:00", schedule_type: "cron", cron_expression: "0 0 29 2 *" }
    ]) {
      const { activate, validate: errors, warnings } = findingsOf(config)
      assert.deepStrictEqual([errors, activate.length, warnings], [[], 1, ["schedule_over"]], JSON.stringify(config))
    }
  })

  it("what comes due once more is activated, and what is a mistake is told once", () => {
    for (const config of [
      {},
      { ends_at: "2027-05-02 00:00" },
      { starts_at: "2030-01-01 00:00" },
      { ends_at: "2027-05-31 22:00", schedule_type: "monthly", month_days: [31, -1] },
      { schedule_type: "cron", cron_expression: "@yearly" }
    ])
      assert.deepStrictEqual(findingsOf(config), { validate: [], activate: [], warnings: [] }, JSON.stringify(config))
    const never = findingsOf({ schedule_type: "cron", cron_expression: "0 0 30 2 *" })
    assert.deepStrictEqual(
      [never.validate, never.activate.length, never.warnings],
      [["trigger_schedule_invalid"], 1, []]
    )
  })

  it("days of the month and of the week earn a warning", () => {
    const warned = (cron_expression: string) => findingsOf({ schedule_type: "cron", cron_expression }).warnings
    assert.deepStrictEqual(warned("0 0 13 * FRI"), ["schedule_days_either"])
    assert.deepStrictEqual(warned("0 0 LW * 1-5"), ["schedule_days_either"])
    for (const expression of ["0 0 13 * *", "0 0 ? * FRI", "0 0 * * 5#3", "0 0 L * *", "@weekly", "*/30 * * * *"])
      assert.deepStrictEqual(warned(expression), [], expression)
  })
})
