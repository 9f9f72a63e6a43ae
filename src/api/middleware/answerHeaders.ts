// Headers that a handler says of its answer. `ETag` (RFC 9110 8.8.3): the version or revision that the answer shows, as `If-Match` takes it
// (ifMatch.ts), so that whoever reads a thing is told what to name when they change it. `Location`: where what was asked for is found.
// `Preference-Applied` (RFC 7240 3): the preference that was followed (prefer.ts).
import { Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"

const ownHeaders = ["ETag", "Location", "Preference-Applied"] as const
export type OwnHeader = (typeof ownHeaders)[number]
/** Values as they are set. */
export const ownHeaderNames: ReadonlyArray<string> = ownHeaders.map((name) => name.toLowerCase())

/** Headers that the endpoint's answers carry. */
export const OwnHeaders = Context.Reference<ReadonlyArray<OwnHeader>>("millrace/http/OwnHeaders", {
  defaultValue: () => []
})

const declareHeader =
  (header: OwnHeader) =>
  <E>(endpoint: E): E =>
    (endpoint as unknown as HttpApiEndpoint.Top).annotate(OwnHeaders, [
      ...Context.get((endpoint as unknown as HttpApiEndpoint.Top).annotations, OwnHeaders),
      header
    ]) as unknown as E

/** The endpoint's answers carry an `ETag`; its handler calls `showsVersion`. */
export const tagged = declareHeader("ETag")
/** The endpoint's answers may carry a `Preference-Applied`; its handler calls `appliesPreference`. */
export const appliesPreferences = declareHeader("Preference-Applied")
/** The endpoint's answers may carry a `Location`; its handler calls `namesPlace`. */
export const located = declareHeader("Location")

/** Headers that the handler has set for the current answer. */
const Said = Context.Reference<Record<string, string> | undefined>("millrace/http/SaidHeaders", {
  defaultValue: () => undefined
})

const say = (name: string, value: string) =>
  Effect.withFiber<void>((fiber) => {
    const collectedHeaders = fiber.getRef(Said)
    if (collectedHeaders !== undefined) collectedHeaders[name] = value
    return Effect.void
  })

/** Set a header of the current answer. */
export const showsVersion = (number: number) => say("etag", `"${number}"`)
export const namesPlace = (path: string) => say("location", path)
export const appliesPreference = (preference: string) => say("preference-applied", preference)

/** The answer with what its handler said of it. */
export const withOwnHeaders = <E, R>(handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.suspend(() => {
    const collectedHeaders: Record<string, string> = {}
    return Effect.map(Effect.provideService(handle, Said, collectedHeaders), (response) =>
      response.status < 300 ? HttpServerResponse.setHeaders(response, collectedHeaders) : response
    )
  })
