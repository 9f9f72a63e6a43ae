// A request whose body does not end before something else has happened.
import { Effect, Fiber } from "effect"
import { App } from "./app.ts"

/** @param parts of the body: the first is sent at once, and read before `meanwhile` begins */
export const sentSlowly = Effect.fnUntraced(function* <E, R>(
  path: string,
  init: { readonly method: string; readonly headers: Record<string, string> },
  [first, rest]: readonly [first: string, rest: string],
  meanwhile: Effect.Effect<unknown, E, R>
) {
  const app = yield* App
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const requestInit = { ...init, body: readable, duplex: "half", redirect: "manual" } as RequestInit
  const answering = yield* Effect.forkChild(app.fetch(new Request(`http://127.0.0.1:8080${path}`, requestInit)))
  yield* Effect.promise(() => writer.write(new TextEncoder().encode(first)))
  yield* meanwhile
  yield* Effect.promise(async () => {
    await writer.write(new TextEncoder().encode(rest))
    await writer.close()
  })
  return yield* Fiber.join(answering)
})
