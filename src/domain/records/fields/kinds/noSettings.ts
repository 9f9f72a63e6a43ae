// Settings of the types that have none.
import { Schema } from "effect"

export const NoSettings = Schema.Struct({})
export type NoSettings = typeof NoSettings.Type
