// The ring that the launcher keeps in DATA_DIR/secret-key (decisions P4, P11), changed in one piece. Where SECRET_KEY is set by the
// operator, the file is not what the processes use, and stays untouched.
import { Effect, FileSystem, Path, Redacted } from "effect"
import { writeWhole } from "../../../bin/parts/os.js"
import { AppConfig } from "../../platform/config/Config.ts"
import { type KeyRing, newKey, readRing } from "../../platform/config/KeyRing.ts"
import { failWith } from "./output.ts"

/** The file with its ring, where it is the one in use. */
const kept = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { dataDir, secretKey } = yield* AppConfig
  const file = path.join(dataDir, "secret-key")
  if (!(yield* fs.exists(file))) return undefined
  const text = (yield* fs.readFileString(file)).trim()
  const ring: KeyRing | undefined = readRing(text)
  const [newest] = Redacted.value(secretKey)
  return ring?.some(({ fingerprint }) => fingerprint === newest.fingerprint) === true ? { file, text, ring } : undefined
})

const write = (file: string, text: string) =>
  Effect.try({
    try: () => writeWhole(file, `${text}\n`),
    catch: (error) => ({ message: `${file} cannot be written: ${(error as Error).message}` })
  }).pipe(Effect.catch(failWith))

/** A new key in front; it counts from the next start. */
export const addKey = Effect.gen(function* () {
  const generatedKey = newKey()
  const [{ id }] = readRing(generatedKey)!
  const keptKeys = yield* kept
  if (keptKeys === undefined)
    return {
      key: id,
      secret_key: generatedKey,
      next: "add it to SECRET_KEY of every process, last; then first, as docs/operations.md says"
    }
  yield* write(keptKeys.file, `${generatedKey},${keptKeys.text}`)
  return {
    key: id,
    kept_in: keptKeys.file,
    next: `restart npm start, then: key rotate, key retire ${keptKeys.ring[0].id}`
  }
})

/** Takes a retired key out of the file. */
export const dropKey = Effect.fnUntraced(function* (fingerprint: string) {
  const keptKeys = yield* kept
  if (keptKeys === undefined) return { next: "take it out of SECRET_KEY of every process" }
  const entries = keptKeys.text.split(",").filter((_, i) => keptKeys.ring[i]!.fingerprint !== fingerprint)
  if (entries.length < keptKeys.ring.length && entries.length > 0) yield* write(keptKeys.file, entries.join(","))
  return { kept_in: keptKeys.file, next: "the next start goes without it" }
})
