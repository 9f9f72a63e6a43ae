// Reads a secret for a command (decisions P3; developer-api.md 7.13) from a file or standard input, never from its arguments: other users
// of the machine can see those, and a shell keeps them.
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { failWith } from "./output.ts"

const STDIN = "-"

/** Content of the file, without the line end that editors and `echo` leave. Reads standard input if no file is given. */
export const textFrom = (file: Option.Option<string>) =>
  Effect.tryPromise({
    try: () => (Option.isSome(file) && file.value !== STDIN ? readFile(file.value) : buffer(process.stdin)),
    catch: (error) => ({ message: `The value cannot be read: ${(error as Error).message}` })
  }).pipe(
    Effect.catch(failWith),
    Effect.map((bytes) => bytes.toString("utf8").replace(/\r?\n$/, ""))
  )

/** `--NAME-file`: of several flags one may be standard input. */
export const secretFile = (name: string) =>
  Flag.String(`${name}-file`).pipe(Flag.withDescription(`Where the ${name} stands; - is standard input`), Flag.optional)

/** Contents of the files that the flags name, by the keys of `files`; flags that are not given are left out. */
export const secretsFrom = Effect.fnUntraced(function* <K extends string>(files: Record<K, Option.Option<string>>) {
  const givenFiles = (Object.entries(files) as Array<[K, Option.Option<string>]>).flatMap(([key, file]) =>
    Option.match(file, { onNone: () => [], onSome: (path) => [{ key, path }] })
  )
  if (givenFiles.filter(({ path }) => path === STDIN).length > 1)
    return yield* failWith({ message: "Only one value can come from standard input." })
  const secretByKey: { [Key in K]?: Redacted.Redacted } = {}
  for (const { key, path } of givenFiles) {
    const text = yield* textFrom(Option.some(path))
    if (text === "") return yield* failWith({ message: `The value is empty: ${path}` })
    secretByKey[key] = Redacted.make(text)
  }
  return secretByKey
})
