// The directory that an import reads: whatever is in it was written by others. Everything is bounded before it is looked at, links are
// not followed, and each file is what its manifest says, or nothing of it is believed.
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { InputInvalid } from "../../../platform/primitives/errors.ts"

/** Longer than any row that an export writes: a record has 200 fields, texts of 150,000 characters among them. */
const LINE_AT_MOST = 64 * 1024 * 1024
const MANIFEST_AT_MOST = 1_000_000

const Written = Schema.Struct({ rows: Schema.Int, bytes: Schema.Int, sha256: Schema.String })
type Written = typeof Written.Type
const Manifest = Schema.fromJsonString(
  Schema.Struct({ format: Schema.Int, org_id: Schema.Int, kinds: Schema.Record(Schema.String, Written) })
)
const decodeManifest = Schema.decodeUnknownEffect(Manifest)

export interface Line {
  readonly number: number
  readonly text: string
}

const invalidInput = (message: string) => new InputInvalid({ message })

const io = <A>(what: string, f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (cause) => invalidInput(`${what}: ${cause instanceof Error ? cause.message : cause}`)
  })

/** A plain file of the directory; a link could lead anywhere. */
const opened = async (path: string) => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const fileStat = await handle.stat()
  if (fileStat.isFile()) return { handle, size: fileStat.size }
  await handle.close()
  throw new Error("is no plain file")
}

const chunksOf = async function* (path: string): AsyncGenerator<Uint8Array> {
  const { handle } = await opened(path)
  try {
    yield* handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>
  } finally {
    await handle.close()
  }
}

/** Lines as they come off the disk, some at a time. The last batch is given when the whole file is what the manifest says. */
const linesOf = async function* (path: string, written: Written): AsyncGenerator<ReadonlyArray<Line>> {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const hash = createHash("sha256")
  let parts: Array<Uint8Array> = []
  let pendingBytes = 0
  let bytes = 0
  let number = 0
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk)
    bytes += chunk.length
    if (bytes > written.bytes) break
    const lines: Array<Line> = []
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; from = end + 1, end = chunk.indexOf(10, from)) {
      number++
      const lineBytes =
        pendingBytes === 0 ? chunk.subarray(from, end) : Buffer.concat([...parts, chunk.subarray(from, end)])
      if (lineBytes.length > LINE_AT_MOST) throw new Error(`line ${number} is longer than ${LINE_AT_MOST} bytes`)
      try {
        lines.push({ number, text: utf8.decode(lineBytes) })
      } catch {
        throw new Error(`line ${number} is no UTF-8`)
      }
      parts = []
      pendingBytes = 0
    }
    parts.push(chunk.slice(from))
    pendingBytes += chunk.length - from
    if (pendingBytes > LINE_AT_MOST) throw new Error(`line ${number + 1} is longer than ${LINE_AT_MOST} bytes`)
    if (lines.length > 0) yield lines
  }
  if (pendingBytes > 0 || bytes !== written.bytes || number !== written.rows || hash.digest("hex") !== written.sha256)
    throw new Error("is not the file that was exported: size, number of lines or checksum differ from the manifest")
}

export const openExport = Effect.fnUntraced(function* (dir: string, format: number) {
  const pathOf = (name: string) => join(dir, name)
  const text = yield* io(pathOf("manifest.json"), async () => {
    const { handle, size } = await opened(pathOf("manifest.json"))
    try {
      if (size > MANIFEST_AT_MOST) throw new Error("is none of ours")
      return await handle.readFile("utf8")
    } finally {
      await handle.close()
    }
  }).pipe(Effect.mapError(({ message }) => invalidInput(`${message} (an export without a manifest is not finished)`)))
  const manifest = yield* Effect.mapError(decodeManifest(text), () =>
    invalidInput(`${pathOf("manifest.json")} is none of ours.`)
  )
  if (manifest.format !== format)
    return yield* invalidInput(
      `${dir} holds an export of format ${manifest.format}; this release reads format ${format}.`
    )

  /** Calls with the lines of a file, some at a time. */
  const eachLines = Effect.fnUntraced(function* <E, R>(
    kind: string,
    f: (lines: ReadonlyArray<Line>) => Effect.Effect<void, E, R>
  ) {
    const kindManifest = manifest.kinds[kind]
    if (kindManifest === undefined) return yield* invalidInput(`${pathOf("manifest.json")} names no ${kind}.`)
    const path = pathOf(`${kind}.jsonl`)
    const lines = yield* Effect.acquireRelease(
      Effect.sync(() => linesOf(path, kindManifest)),
      (lines) => Effect.promise(() => lines.return(undefined))
    )
    for (;;) {
      const next = yield* io(path, () => lines.next())
      if (next.done === true) return
      yield* f(next.value)
    }
  }, Effect.scoped)

  const contentPath = (key: string) => pathOf(join("files", encodeURIComponent(key)))
  const content = (key: string) => chunksOf(contentPath(key))
  const digest = (key: string) =>
    io(contentPath(key), async () => {
      const hash = createHash("sha256")
      let bytes = 0
      for await (const chunk of content(key)) {
        hash.update(chunk)
        bytes += chunk.length
      }
      return { bytes, sha256: hash.digest("hex") }
    })

  return {
    orgId: manifest.org_id,
    /** Name of this export: the hash of its manifest. */
    name: createHash("sha256").update(text).digest("hex"),
    rowsOf: (kind: string) => manifest.kinds[kind]?.rows ?? 0,
    eachLines,
    content,
    digest
  }
})
export type ExportSource = Effect.Success<ReturnType<typeof openExport>>
