// The kinds of jobs of this installation: one line for each module that has some.
import { runJobKinds } from "./domain/automations/requests/runJobKinds.ts"
import { convertFieldKinds } from "./domain/conversion/convertFieldKind.ts"
import { importJobKinds } from "./domain/imports/importJobKind.ts"
import { JobKinds } from "./domain/jobs/JobKind.ts"
import { recalculationKinds } from "./domain/records/recalculation/recalculationKind.ts"
import { searchIndexKinds } from "./domain/search/searchIndexKind.ts"
import { replayJobKinds } from "./domain/webhooks/replays/replayKind.ts"

export const layer = JobKinds.layer([
  runJobKinds,
  importJobKinds,
  recalculationKinds,
  convertFieldKinds,
  searchIndexKinds,
  replayJobKinds
])
