// Endpoints of files: developer-api.md 6.
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Id } from "../../../domain/accounts/accountSchemas.ts"
import { File, TemporaryFile } from "../../../domain/records/files/File.ts"
import { DevApi } from "../../door/DevApi.ts"
import { requires } from "../../door/Requires.ts"
import { fails } from "../../door/wire.ts"

const upload = HttpApiEndpoint.post("upload", "/v1/file/upload", {
  payload: Schema.Struct({ file: Multipart.FilesSchema }).pipe(HttpApiSchema.asMultipart()),
  success: Schema.Union([TemporaryFile, Schema.Array(TemporaryFile)]),
  error: fails("ValidationError", "Conflict")
}).pipe(requires({ scope: "records:edit", unguarded: "new", cost: 2, costPer100Megabytes: 2 }))

const get = HttpApiEndpoint.get("get", "/v1/file/:file_id", {
  params: { file_id: Id },
  success: File,
  error: fails("NotFound")
}).pipe(requires({ scope: "records:read", unguarded: "behind another id" }))

export class FilesApi extends HttpApiGroup.make("files").add(upload, get).middleware(DevApi) {}
