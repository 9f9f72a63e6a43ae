// Libraries of scripts (developer-api.md 8.2): their names there, the package of each, and its member if a name is not the whole package.
interface ScriptLibrary {
  readonly names: ReadonlyArray<string>
  readonly from: string
  readonly member?: string
}

export const scriptLibraries: ReadonlyArray<ScriptLibrary> = [
  { names: ["_", "lodash"], from: "lodash" },
  { names: ["moment"], from: "moment" },
  { names: ["date_fns"], from: "date-fns" },
  { names: ["date_fns_tz"], from: "date-fns-tz" },
  { names: ["uuid"], from: "uuid" },
  { names: ["striptags"], from: "striptags" },
  { names: ["minimatch"], from: "minimatch", member: "minimatch" },
  { names: ["cheerio"], from: "cheerio" },
  { names: ["jsonata"], from: "jsonata" }
]
