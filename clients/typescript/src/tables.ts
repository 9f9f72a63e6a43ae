// Records of one app with the types of its fields (developer-api.md 3 and 4): `millrace types APP` writes the description of an app that
// `tableOf` takes. Values come and go by the `external_id` of their field, each in the plainest form that loses nothing.
import type { Client, ItemOf } from "./Client.ts"
import type { Api } from "./generated/types.ts"
import type { RequestOptions } from "./transport.ts"

type Schemas = Api["schemas"]
type RecordField = Schemas["RecordField"]
export type FieldType = RecordField["field_type"]
type EntryOf<F extends FieldType> = Extract<RecordField, { field_type: F }>["values"][number]
type PlainOf<E> = E extends { readonly value: infer V } ? (Exclude<keyof E, "value"> extends never ? V : E) : E

/** An app as its programs know it. */
export interface AppShape {
  readonly app_id: number
  /** Field types by `external_id`. */
  readonly fields: Readonly<Record<string, FieldType>>
}

/** Types whose fields hold any number of values. */
type Many = "checklist" | Exclude<Extract<FieldType, `multi_${string}`>, "multi_text">
const isMany = (type: FieldType): boolean =>
  type === "checklist" || (type.startsWith("multi_") && type !== "multi_text")

/** Values of a record: null, or an empty list, if a field has no value. */
export type Values<A extends AppShape> = {
  readonly [K in keyof A["fields"]]: A["fields"][K] extends Many
    ? ReadonlyArray<PlainOf<EntryOf<A["fields"][K]>>>
    : PlainOf<EntryOf<A["fields"][K]>> | null
}

type Pascal<S extends string> = S extends `${infer A}_${infer B}` ? `${Capitalize<A>}${Pascal<B>}` : Capitalize<S>
type InputOf<F extends string> = `${Pascal<F>}ValueInput` extends infer N
  ? N extends keyof Schemas
    ? Schemas[N]
    : never
  : never

/** Values to write: null empties a field, an omitted field stays as it is. Computed fields take no value. */
export type ValuesInput<A extends AppShape> = {
  readonly [K in keyof A["fields"] as InputOf<A["fields"][K]> extends never ? never : K]?: InputOf<
    A["fields"][K]
  > | null
}

export type TableRecord<A extends AppShape> = Omit<Schemas["AppRecord"], "fields"> & { readonly values: Values<A> }

const plainValue = (entry: object): unknown =>
  "value" in entry && Object.keys(entry).length === 1 ? entry.value : entry

/** The record with its values by field. */
export const typed = <A extends AppShape>(shape: A, { fields, ...record }: Schemas["AppRecord"]): TableRecord<A> => {
  const valuesById = new Map(fields.map((field) => [field.external_id, field.values as ReadonlyArray<object>]))
  const values = Object.entries(shape.fields).map(([name, type]) => {
    const entries = (valuesById.get(name) ?? []).map(plainValue)
    return [name, isMany(type) ? entries : (entries[0] ?? null)]
  })
  return { ...record, values: Object.fromEntries(values) as Values<A> }
}

export interface Table<A extends AppShape> {
  readonly get: (recordId: number, options?: RequestOptions) => Promise<TableRecord<A>>
  readonly create: (values: ValuesInput<A>, options?: RequestOptions) => Promise<TableRecord<A>>
  readonly update: (recordId: number, values: ValuesInput<A>, options?: RequestOptions) => Promise<TableRecord<A>>
  readonly remove: (recordId: number, options?: RequestOptions) => Promise<void>
  /** All of them, as they are asked for. */
  readonly each: (
    where?: { readonly filters?: FilterOf; readonly sort_by?: string; readonly sort_desc?: boolean },
    options?: RequestOptions
  ) => AsyncIterableIterator<TableRecord<A>>
}

type FilterBody = Api["operations"]["listings.filter"]["body"]
type FilterOf = FilterBody extends { filters?: infer F } ? F : never

/** Reading what was written needs `records:read` beside `records:edit`. */
const requireFields = (written: Schemas["WrittenRecord"]): Schemas["AppRecord"] => {
  if ("fields" in written) return written
  throw new TypeError(`Record ${written.record_id} was written; the credential may not read it`)
}

/** The records of an app. */
export const tableOf = <const A extends AppShape>(client: Client, shape: A): Table<A> => {
  const { app_id } = shape
  const fieldsOf = (values: ValuesInput<A>) => values as Schemas["FieldInputs"]
  async function* each(
    { filters, ...sort }: Parameters<Table<A>["each"]>[0] & {} = {},
    options?: RequestOptions
  ): AsyncIterableIterator<TableRecord<A>> {
    const pages: AsyncIterable<ItemOf<"listings.ofApp">> =
      filters === undefined
        ? client.listings.ofApp.each({ app_id, limit: 200, ...sort }, options)
        : client.listings.filter.each({ app_id, limit: 200, ...sort, body: { filters } as FilterBody }, options)
    for await (const record of pages) yield typed(shape, record)
  }
  return {
    get: async (record_id, options) => typed(shape, await client.records.get({ record_id }, options)),
    create: async (values, options) =>
      typed(shape, requireFields(await client.records.create({ app_id, body: { fields: fieldsOf(values) } }, options))),
    update: async (record_id, values, options) =>
      typed(
        shape,
        requireFields(await client.records.update({ record_id, body: { fields: fieldsOf(values) } }, options))
      ),
    remove: async (record_id, options) => void (await client.records.remove({ record_id }, options)),
    each
  }
}
