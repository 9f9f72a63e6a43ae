// Times of day and days of the week as definitions name them (developer-api.md 7.5, 7.13).

import { Schema } from "effect"
import { token } from "../../../platform/bounds/sized.ts"

/** `HH:mm`. */
export const TimeOfDay = token.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Days of the week in the order of developer-api.md 7.5. */
export const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
