// The directory of an export: rows are appended to a part of a file, how far it has come is kept beside it, and a repeat cuts off what came
// after that, wherever the process was killed.
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readFile, rename, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { InputInvalid } from "../../platform/primitives/errors.ts"

export const FORMAT = 1

const Done = Schema.Struct({ rows: Schema.Int, bytes: Schema.Int, sha256: Schema.String })
const Progress = Schema.Struct({
  format: Schema.Int,
  org_id: Schema.Int,
  begun_on: Schema.String,
  done: Schema.Record(Schema.String, Done),
  current: Schema.NullOr(
    Schema.Struct({
      kind: Schema.String,
      /** The key of the last row. */
      after: Schema.NullOr(Schema.Array(Schema.String)),
      rows: Schema.Int,
      bytes: Schema.Int
    })
  )
})
export type ExportProgress = typeof Progress.Type

const PROGRESS = "progress.json"
/** Far more than it ever is. */
const PROGRESS_AT_MOST = 1_000_000

const io = <A>(what: string, f: () => Promise<A>) =>
  Effect.tryPromise({
    try: f,
    catch: (cause) => new InputInvalid({ message: `${what}: ${cause instanceof Error ? cause.message : cause}` })
  })

/** Wholly there or not at all. */
const writeWhole = async (path: string, text: string) => {
  const handle = await open(`${path}.tmp`, "w", 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.tmp`, path)
}

const digestOf = async (path: string) => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest("hex")
}

export const makeExportDirectory = (dir: string) => {
  const pathOf = (name: string) => join(dir, name)
  return {
    /** Progress that an earlier attempt left; null if there is none. */
    begun: Effect.gen(function* () {
      yield* io(dir, () => mkdir(pathOf("files"), { recursive: true, mode: 0o700 }))
      const progressStat = yield* io(dir, () => stat(pathOf(PROGRESS)).catch(() => null))
      if (progressStat === null) return null
      if (progressStat.size > PROGRESS_AT_MOST)
        return yield* new InputInvalid({ message: `${pathOf(PROGRESS)} is none of ours.` })
      const text = yield* io(dir, () => readFile(pathOf(PROGRESS), "utf8"))
      return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Progress))(text).pipe(
        Effect.mapError(() => new InputInvalid({ message: `${pathOf(PROGRESS)} is none of ours.` }))
      )
    }),
    keep: (progress: ExportProgress) => io(dir, () => writeWhole(pathOf(PROGRESS), JSON.stringify(progress))),
    finish: (manifest: object) =>
      io(dir, () => writeWhole(pathOf("manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`)),
    /** The part of a file, as long as it was when progress was kept. */
    part: (kind: string, bytes: number) =>
      Effect.acquireRelease(
        io(dir, async (): Promise<FileHandle> => {
          const path = pathOf(`${kind}.jsonl.part`)
          const handle = await open(path, "a", 0o600)
          await truncate(path, bytes)
          return handle
        }),
        (handle) => Effect.promise(() => handle.close())
      ),
    append: (handle: FileHandle, text: string) => io(dir, () => handle.appendFile(text)),
    sync: (handle: FileHandle) => io(dir, () => handle.datasync()),
    whole: (kind: string) =>
      io(dir, async () => {
        await rename(pathOf(`${kind}.jsonl.part`), pathOf(`${kind}.jsonl`)).catch(async (error) => {
          // Killed between the rename and what is kept of it.
          await stat(pathOf(`${kind}.jsonl`)).catch(() => Promise.reject(error))
        })
        return digestOf(pathOf(`${kind}.jsonl`))
      }),
    /** A content, written whole; null: there already. */
    content: (name: string) =>
      Effect.map(
        io(dir, () => stat(pathOf(`files/${name}`)).catch(() => null)),
        (found) => (found === null ? pathOf(`files/${name}`) : null)
      ),
    begin: (path: string) => io(path, () => writeFile(`${path}.part`, "", { mode: 0o600 })),
    add: (path: string, bytes: Uint8Array) => io(path, () => writeFile(`${path}.part`, bytes, { flag: "a" })),
    /** Flushes the file to disk before it gets its final name: a file with that name counts as complete. */
    end: (path: string) =>
      io(path, async () => {
        const handle = await open(`${path}.part`, "r+")
        try {
          await handle.datasync()
        } finally {
          await handle.close()
        }
        await rename(`${path}.part`, path)
      }),
    digest: (name: string) => io(dir, () => digestOf(pathOf(`files/${name}`)))
  }
}
