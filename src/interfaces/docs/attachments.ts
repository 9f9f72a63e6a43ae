// Pictures, examples and definitions that pages of /docs show or link to, each at an address of its own.
import { readFileSync } from "node:fs"
import { extname } from "node:path"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { answer, once, type Stored, stored } from "../../platform/primitives/servedOnce.ts"
import { attachedFiles, fileUrl } from "./manualFiles.ts"

const typeOf = (file: string) => (extname(file) === ".png" ? "image/png" : "text/plain; charset=utf-8")

export const AttachmentRoutes = HttpRouter.use((router) =>
  Effect.forEach(attachedFiles(), ([file, path]) => {
    const content: () => Stored = once(() => stored(readFileSync(fileUrl(file))))
    return router.add(
      "GET",
      path as `/${string}`,
      Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        answer(content(), headers["if-none-match"], typeOf(file))
      )
    )
  })
)
