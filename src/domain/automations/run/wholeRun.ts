// Which runs may be over as soon as they are there: made, executed and ended in one statement (docs/architecture.md, "Runs that are over
// as they begin"). What one would have to wait for, or to tell others of, has it take the ordinary way.
import { BoundedMap } from "../../../ground/primitives/BoundedMap.ts"
import type { Revision } from "./AutomationRevisions.ts"
import type { NewRun } from "./NewRun.ts"
import { onlyChanges } from "./stepKinds.ts"

/** Apps of which it is known, those that were active last; and revisions of one, most of which an editor has replaced. */
const APPS_KNOWN = 1_000
const REVISIONS_KNOWN = 100

/** One step, which changes the record that the automation is about. */
export const mayBeWhole = ({ plan: { nodes, plain }, unreadable }: Revision): boolean => {
  const [node] = nodes.values()
  return unreadable === null && plain && nodes.size === 1 && onlyChanges(node!.action)
}

/** Fired by a change of its record: nobody waits for it, nothing is taken over from another run. */
export const isLone = (run: NewRun): boolean =>
  !run.durable &&
  run.failure === null &&
  run.type === "regular" &&
  run.record_id !== null &&
  run.trigger.pinned === undefined &&
  run.wait_key === null &&
  run.awaited === null &&
  run.handed === null &&
  run.values_of === null &&
  run.retry_of_run_id === null &&
  run.debounced_until === null &&
  !run.takes_over

/** Revisions whose runs take the ordinary way in any case, by app: claims draw no ids for them. The process learns of one with its first event. */
export const makeOrdinaryOf = () => {
  const known = new BoundedMap<number, Set<string>>(APPS_KNOWN)
  return (appId: number) => {
    const ordinary = known.get(appId) ?? new Set<string>()
    known.set(appId, ordinary)
    if (ordinary.size > REVISIONS_KNOWN) ordinary.clear()
    return ordinary
  }
}
