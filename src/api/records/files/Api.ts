// Endpoints of files: developer-api.md 6.
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { File, TemporaryFile } from "../../../domain/records/files/File.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

export const upload = HttpApiEndpoint.post("upload", "/v1/file/upload", {
  payload: Schema.Struct({ file: Multipart.FilesSchema }).pipe(HttpApiSchema.asMultipart()),
  success: Schema.Union([TemporaryFile, Schema.Array(TemporaryFile)]).annotate({ identifier: "UploadedFiles" }),
  error: fails("ValidationError", "Conflict", "TooManyRequests")
}).pipe(
  requires({
    scope: "records:edit",
    unguarded: "new",
    cost: costs.fileUpload,
    costPer100Megabytes: costs.per100Megabytes
  }),
  withSummary(
    "Upload files",
    "Takes one or several files as `multipart/form-data` and answers temporary ids, which a record, comment or reply takes within a day."
  )
)

const get = HttpApiEndpoint.get("get", "/v1/file/:file_id", {
  params: { file_id: Id },
  success: File,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "records:read", unguarded: "behind another id" }),
  withSummary("Get a file", "Name, size, type and download address of a file that the caller may read.")
)

export class FilesApi extends HttpApiGroup.make("files")
  .add(upload, get)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Files", "Uploads and downloads.")) {}
