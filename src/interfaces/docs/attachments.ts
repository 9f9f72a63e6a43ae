// Pictures, examples and definitions that pages of /docs show or link to, each at an address of its own. They are listed when the first of
// them is asked for.
import { readFileSync } from "node:fs"
import { extname } from "node:path"
import { type CachedContent, cacheContent, once } from "../../platform/primitives/cachedContent.ts"
import { attachedFiles, fileUrl } from "./manualFiles.ts"

interface Attachment {
  readonly contentType: string
  readonly content: () => CachedContent
}

const typeOf = (file: string) => (extname(file) === ".png" ? "image/png" : "text/plain; charset=utf-8")

/** Every attachment by the path it has. */
export const attachments = once(
  (): ReadonlyMap<string, Attachment> =>
    new Map(
      [...attachedFiles()].map(([file, path]) => [
        path,
        { contentType: typeOf(file), content: once(() => cacheContent(readFileSync(fileUrl(file)))) }
      ])
    )
)
