// Changes of large tables that this release makes next to the service (CONTRIBUTING.md, "Change a large table"). A change stays here for as
// long as a database may come from a release before it.
import type { LaterChange } from "./laterChanges.ts"
import { KEYS_FOLDED } from "./migrations/0059_folding.ts"
import { fillSearch } from "./searchBackfill.ts"
import { backfillOf, searchedKinds } from "./searchSources.ts"

export const laterList: ReadonlyArray<LaterChange> = [
  { kind: "index", ...KEYS_FOLDED },
  ...searchedKinds.map((kind): LaterChange => ({ kind: "backfill", name: backfillOf(kind), batch: fillSearch(kind) })),
  { kind: "weeks", name: "webhook_deliveries", ids: "outbox_event_id_seq", by: "id_weeks" },
  { kind: "weeks", name: "webhook_attempts", ids: "outbox_event_id_seq", by: "id_weeks" },
  { kind: "weeks", name: "run_logs", ids: "runs_run_id_seq", by: "run_weeks" },
  { kind: "weeks", name: "run_ledger", ids: "runs_run_id_seq", by: "run_weeks" }
]
