// Generates the TypeScript declaration file of the script environment (developer-api.md 8), for editors and for authors who write scripts
// with a language model.
import { libraryVersions } from "../../../platform/sandbox/libraryVersions.ts"
import { goneFromScripts, scriptNames } from "./scriptNames.ts"
import { scriptTypes } from "./scriptTypes.ts"

/** Language parts that V8 has in the script processes, listed one by one, since threads and weak references are removed. */
const language = [
  ...["collection", "core", "generator", "iterable", "promise", "proxy", "reflect", "symbol", "symbol.wellknown"].map(
    (part) => `es2015.${part}`
  ),
  ...["es2016.array.include", "es2016.intl"],
  ...["arraybuffer", "date", "intl", "object", "string", "typedarrays"].map((part) => `es2017.${part}`),
  ...["asyncgenerator", "asynciterable", "intl", "promise", "regexp"].map((part) => `es2018.${part}`),
  ...["array", "intl", "object", "string", "symbol"].map((part) => `es2019.${part}`),
  ...["bigint", "date", "intl", "number", "promise", "string", "symbol.wellknown"].map((part) => `es2020.${part}`),
  ...["intl", "promise", "string"].map((part) => `es2021.${part}`),
  ...["array", "error", "intl", "object", "regexp", "string"].map((part) => `es2022.${part}`),
  ...["array", "collection", "intl"].map((part) => `es2023.${part}`),
  ...["arraybuffer", "collection", "object", "promise", "regexp", "string"].map((part) => `es2024.${part}`),
  ...["collection", "float16", "intl", "iterator", "promise", "regexp"].map((part) => `es2025.${part}`),
  ...["esnext.array", "esnext.disposable", "esnext.error"]
]

const availability = { all: "", custom_code: " Only in `custom_code`.", loop: " Only inside of a loop." } as const

const packages = libraryVersions.map(([name, version]) => `${name}@${version}`).join(" ")

export const scriptDeclarations = (): string => `${language.map((part) => `/// <reference lib="${part}" />`).join("\n")}

// What scripts of automations find: custom_code, code values and script conditions. TypeScript 6 or later, with these options:
//   { "lib": ["ES5"], "types": [], "module": "ESNext", "moduleResolution": "bundler", "strict": true,
//     "useUnknownInCatchVariables": false, "skipLibCheck": true }
// Libraries have the types of their packages, where these are installed:
//   ${packages} @types/lodash
// Variables of the automation, var_ and the lower-cased label, are of each automation: declare let var_total: number
// Taken away from the language: ${goneFromScripts.join(", ")}.

${scriptTypes.join("\n\n")}

${scriptNames
  // Classes are declared with their members already.
  .filter(({ name, type }) => type !== `typeof ${name}`)
  .map(
    ({ description, name, type, where }) =>
      `/** ${description}.${availability[where]} */\ndeclare const ${name}: ${type}`
  )
  .join("\n\n")}
`
