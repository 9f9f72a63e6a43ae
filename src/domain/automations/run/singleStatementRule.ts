// Decides which runs can be created, executed and ended in one statement (docs/architecture/runs.md, "Runs that are over as they begin"). A run
// that would wait for something, or notify other parties, takes the ordinary path.
import { BoundedMap } from "../../../platform/primitives/BoundedMap.ts"
import { type NewRun, onlyBegins } from "./NewRun.ts"
import type { Revision } from "./RevisionCache.ts"
import { onlyChanges } from "./stepKinds.ts"

/** Size of the cache: the most recently active apps, and revisions per app, most of which an editor has since replaced. */
const APPS_KNOWN = 1_000
const REVISIONS_KNOWN = 100

/** True if the revision has one step, which changes the record that triggers the automation. */
export const isSingleStatement = ({ plan: { nodes, plain }, unreadable }: Revision): boolean => {
  const [node] = nodes.values()
  return unreadable === null && plain && nodes.size === 1 && onlyChanges(node!.action)
}

/** True if a change of its record fired the run, no caller waits for it, and it takes over nothing from another run. */
export const isLone = (run: NewRun): boolean =>
  onlyBegins(run) &&
  run.type === "regular" &&
  run.record_id !== null &&
  run.trigger.pinned === undefined &&
  run.wait_key === null &&
  run.handed === null &&
  run.retry_of_run_id === null

/**
 * Revisions whose runs always take the ordinary path, by app: claims reserve no ids for them. The process learns of each with its first
 * event.
 */
export const makeOrdinaryOf = () => {
  const revisionsByApp = new BoundedMap<number, Set<string>>(APPS_KNOWN)
  return (appId: number) => {
    const ordinaryRevisions = revisionsByApp.get(appId) ?? new Set<string>()
    revisionsByApp.set(appId, ordinaryRevisions)
    if (ordinaryRevisions.size > REVISIONS_KNOWN) ordinaryRevisions.clear()
    return ordinaryRevisions
  }
}
