// `single_location`: an address, as text or in its parts, with or without coordinates (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { LocationEntry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { orNull, text, upTo } from "../contract/shapes.ts"
import { closed, textOf } from "../input/writeInput.ts"
import { textTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Problem } from "../model/Field.ts"
import { noCell, when } from "../sql/predicates.ts"

const LocationSettings = Schema.Struct({
  has_map: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true)))
})

const parts = ["original_formatted_address", "street_address", "city", "state", "postal_code", "country"] as const
const keys = ["value", ...parts, "latitude", "longitude", "map_in_sync"]
/** The parts that make up an address. */
const composing = parts.slice(1)
const SEPARATOR = ", "
const PART_AT_MOST = 500
/** Maximum length of a value composed from its parts, so that what was read can be sent back. */
const VALUE_AT_MOST = composing.length * (PART_AT_MOST + SEPARATOR.length)

const partSchemas = Object.fromEntries(parts.map((key) => [key, text]))
const upToOrNull = (characters: number) => Schema.optionalKey(orNull(upTo(characters)))
const sentFields = {
  value: upToOrNull(VALUE_AT_MOST),
  ...Object.fromEntries(parts.map((key) => [key, upToOrNull(PART_AT_MOST)]))
}
const sentCoordinate = (most: number) =>
  Schema.optionalKey(orNull(Schema.Finite.check(Schema.isBetween({ minimum: -most, maximum: most }))))

const coordinate = (input: unknown, name: string, most: number): Result.Result<number | undefined, Problem> =>
  input === undefined || input === null
    ? Result.succeed(undefined)
    : typeof input === "number" && Math.abs(input) <= most
      ? Result.succeed(input)
      : Result.fail(`has a ${name} that is no number from -${most} to ${most}`)

const locationOf = (input: unknown): Result.Result<LocationEntry, Problem> =>
  Result.gen(function* () {
    const members = typeof input === "string" ? { value: input } : yield* closed(input, keys, "an address or an object")
    const text = function* (key: string, most: number) {
      const value = (members as Record<string, unknown>)[key]
      if (value === undefined || value === null) return null
      const checked = yield* Result.mapError(textOf(value, most), (problem) => `has a \`${key}\` that ${problem}`)
      return checked.trim() === "" ? null : checked.trim()
    }
    const { latitude, longitude, map_in_sync } = members as Record<string, unknown>
    const named: Record<string, string | null> = {}
    for (const key of parts) named[key] = yield* text(key, PART_AT_MOST)
    const address = composing.flatMap((key) => named[key] ?? [])
    const north = yield* coordinate(latitude, "latitude", 90)
    const east = yield* coordinate(longitude, "longitude", 180)
    if ((north === undefined) !== (east === undefined)) {
      return yield* Result.fail("must have both latitude and longitude or neither")
    }
    if (map_in_sync !== undefined && typeof map_in_sync !== "boolean") {
      return yield* Result.fail("has a `map_in_sync` that is not a boolean")
    }
    return {
      value: (yield* text("value", VALUE_AT_MOST)) ?? named["original_formatted_address"] ?? address.join(SEPARATOR),
      ...(named as Record<(typeof parts)[number], string | null>),
      ...(north === undefined ? {} : { latitude: north, longitude: east! }),
      map_in_sync: map_in_sync ?? false
    }
  })

export const singleLocation: AssignableType<"location", typeof LocationSettings.Type> = {
  tag: "single_location",
  kind: "location",
  type: "location",
  label: "Location",
  channels: ["text"],
  operators: "LOC",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: LocationSettings,
  input: Schema.Union([
    upTo(VALUE_AT_MOST).annotate({ description: "An address" }),
    Schema.Struct({
      ...sentFields,
      latitude: sentCoordinate(90),
      longitude: sentCoordinate(180),
      map_in_sync: Schema.optionalKey(Schema.Boolean)
    }).annotate({ identifier: "LocationInput" })
  ]),
  parse: (input) =>
    Result.map(locationOf(input), (location) =>
      location.value === "" && location.latitude === undefined ? [] : [location]
    ),
  render: (entry) => entry,
  entry: Schema.Struct({
    value: Schema.String,
    ...partSchemas,
    latitude: Schema.optionalKey(Schema.Finite),
    longitude: Schema.optionalKey(Schema.Finite),
    map_in_sync: Schema.Boolean
  }),
  text: (entry) => (entry as LocationEntry).value,
  compared: (cell) => ({
    set: "LOC",
    texts: (cell as ReadonlyArray<LocationEntry>).map(({ value }) => value),
    cased: false,
    present: cell.length > 0
  }),
  filter: {
    matchTypes: matchTypes.location,
    test: (filter) => textTest(filter, false),
    passes: when("text", ({ cell, sql, textMatches }, { field_id }, test) =>
      textMatches(sql`${cell(field_id)}->0->>'value'`, test)
    ),
    empty: noCell
  },
  sortKey: ({ first, sql, words }, { field_id }) => words(sql`nullif(${first(field_id)}->>'value', '')`)
}
