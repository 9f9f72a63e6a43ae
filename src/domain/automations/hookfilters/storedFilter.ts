// Reads a hook's filter from the database, which an earlier release may have written (decisions W13).
import { Result } from "effect"
import { FilterUnusable } from "../../webhooks/EventFilters.ts"
import { readStored } from "../input/storedDefinition.ts"
import type { FilterGroup } from "../model/Definition.ts"

/** The filter is stored without a format number: the schemas always read it. */
const UNKNOWN_FORMAT = 0

export const storedFilter = (filter: unknown): Result.Result<FilterGroup, FilterUnusable> => {
  const { definition, unreadable } = readStored({ format: UNKNOWN_FORMAT, trigger: null, filter, actions: [] })
  return definition.filter === null
    ? Result.fail(new FilterUnusable({ message: unreadable[0]?.message ?? "There is no filter." }))
    : Result.succeed(definition.filter)
}
