// Action `delay` (developer-api.md 7.6): waits for a time or until an instant; exactly one of the two keys.
import { Schema } from "effect"
import { unset } from "../../schema/combinators.ts"
import { RelativeDate, Template } from "../../schema/dynamicValues.ts"
import { DateValue } from "../../schema/Filter.ts"
import { isPlainObject } from "../../schema/walk.ts"
import { action } from "../spec.ts"

export const delay = action({
  type: "delay",
  label: "Delay",
  scopes: [],
  description: "Waits for a time, or until a date",
  kind: "wait",
  refuses: ({ delay_ms, delay_until }) =>
    delay_ms !== undefined && delay_until !== undefined
      ? "give either `delay_ms` or `delay_until`, not both"
      : undefined,
  *check({ delay_ms, delay_until }) {
    if (delay_ms === undefined && (delay_until === undefined || isEmptyTemplate(delay_until))) {
      yield { code: "action_value_missing", message: "Neither `delay_ms` nor `delay_until` is set." }
    }
  },
  normalize: (config) =>
    isPlainObject(config["delay_until"]) && config["delay_until"]["type"] === undefined
      ? { ...config, delay_until: { type: "date", date: config["delay_until"] } }
      : config,
  config: {
    delay_ms: unset(Schema.Int.check(Schema.isBetween({ minimum: 1_000, maximum: 31_536_000_000 }))),
    delay_until: unset(Schema.Union([DateValue, RelativeDate, Template]))
  }
})

const isEmptyTemplate = (value: unknown): boolean => Array.isArray(value) && value.every((item) => item === "")
