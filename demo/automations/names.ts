// The automations of this folder name apps, fields and options instead of ids: `=orders`, `=orders.state`, `=orders.state.New`,
// `=automation:03a-approve`; within texts `{{outside}}` and `{{automation:…}}`. Here names become the ids of one installation.
import { readdirSync, readFileSync } from "node:fs"
import { parse } from "yaml"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type Ids = ReadonlyMap<string, number>

const folder = new URL("./", import.meta.url)
const read = (file: string): Json => parse(readFileSync(new URL(file, folder), "utf8"), { maxAliasCount: 100 })

/** By file, without its ending, in the order in which they may be applied: what is called comes first. */
export const files: ReadonlyArray<string> = readdirSync(folder)
  .filter((file) => /^\d.*\.yaml$/.test(file))
  .map((file) => file.slice(0, -".yaml".length))
  .toSorted()

/** With ids and texts in place of names; an unknown name is an error. */
export const resolved = (value: Json, ids: Ids, texts: Readonly<Record<string, string>>): Json => {
  const idOf = (name: string): number => {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`Nothing is called ${name}`)
    return id
  }
  const walk = (part: Json): Json => {
    if (typeof part === "string") {
      if (part.startsWith("=")) return idOf(part.slice(1))
      return part.replaceAll(/\{\{([\w:-]+)\}\}/g, (_, name: string) => texts[name] ?? `${idOf(name)}`)
    }
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item)]))
  }
  return walk(value)
}

export interface DemoApp {
  readonly name: string
  readonly item_name: string
  readonly fields: ReadonlyArray<Json>
}
export const apps = read("apps.yaml") as unknown as ReadonlyArray<DemoApp & { readonly [key: string]: Json }>

interface MadeApp {
  readonly app_id: number
  readonly fields: ReadonlyArray<{
    readonly field_id: number
    readonly slug: string
    readonly config: {
      readonly settings: { readonly options?: ReadonlyArray<{ readonly id: number; readonly text: string }> }
    }
  }>
}

/** The names that an app brings, as the API answers it. */
export const namesOf = (name: string, { app_id, fields }: MadeApp): ReadonlyArray<readonly [string, number]> => [
  [name, app_id],
  ...fields.flatMap(({ config, field_id, slug }) => [
    [`${name}.${slug}`, field_id] as const,
    ...(config.settings.options ?? []).map(({ id, text }) => [`${name}.${slug}.${text}`, id] as const)
  ])
]

/** The app that an automation belongs to, and its definition as `automation apply` takes it. */
export const automationOf = (file: string, ids: Ids, texts: Readonly<Record<string, string>>) => {
  const { app, ...definition } = read(`${file}.yaml`) as { readonly app: string; readonly [key: string]: Json }
  return { appId: ids.get(app)!, text: JSON.stringify(resolved(definition, ids, texts)) }
}
