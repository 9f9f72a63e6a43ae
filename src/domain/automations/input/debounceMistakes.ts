// Checks `debounce_ms`, which coalesces changes of a record: only triggers that such changes fire may have it (developer-api.md 7.13).
import type { Definition } from "../model/Definition.ts"
import type { Mistake } from "../schema/path.ts"
import { triggers } from "../triggers/registry.ts"

const ofRecords = (type: keyof typeof triggers) => triggers[type].firedBy.some((event) => event.startsWith("record."))
const names = Object.values(triggers).flatMap(({ type }) => (ofRecords(type) ? [type] : []))

export const debounceMistakes = ({
  debounce_ms,
  trigger
}: Pick<Definition, "trigger"> & { readonly debounce_ms: number | null }): ReadonlyArray<Mistake> => {
  if (debounce_ms === null || trigger === null || ofRecords(trigger.type)) return []
  const message = `the trigger ${trigger.type} gathers no changes, only ${names.join(", ")} do; clear it with null`
  return [{ path: ["debounce_ms"], message }]
}
