// Imports of CSV files: developer-api.md 4.2. The import itself is a job (7.11).
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ImportInput, ImportPreview } from "../../../domain/imports/importSchemas.ts"
import { JobBegun } from "../../../domain/jobs/Job.ts"
import { switchQuery } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { located } from "../../middleware/answerHeaders.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const params = { app_id: Id }
const onApp = { scope: "records:edit", cost: costs.imports, guard: { kind: "app", level: 3 } } as const

const preview = HttpApiEndpoint.post("preview", "/v1/record/app/:app_id/import/preview", {
  params,
  payload: ImportInput,
  success: ImportPreview,
  error: fails("ValidationError", "Restricted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(
  requires(onApp),
  withSummary(
    "Preview an import",
    "Looks at the first 500 rows of a CSV file: how it is read, the field of each column, how many of its values fit and why others do not. No record is written."
  )
)

const begin = HttpApiEndpoint.post("begin", "/v1/record/app/:app_id/import", {
  params,
  query: switchQuery,
  payload: ImportInput,
  success: JobBegun,
  error: fails("ValidationError", "Restricted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(
  requires(onApp),
  located,
  withSummary(
    "Import records",
    "Begins a job that makes a record of each row of a CSV file, or updates the record that has its value in a unique field. Values that do not fit are left empty and reported; the file is uploaded before, or fetched from an https address."
  )
)

export class ImportsApi extends HttpApiGroup.make("imports")
  .add(preview, begin)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Imports", "Records from CSV files of any length.")) {}
