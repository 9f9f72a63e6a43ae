// Every text of the console stands in console/src/texts, and every text of the service's pages in `texts` beside them (CONTRIBUTING.md).
// Refuses a text that stands anywhere else, and one that nothing shows.
import { assert, describe, it } from "@effect/vitest"
import { parseAst } from "rolldown/parseAst"
import { filesBelow, read } from "../../docs/passages.ts"

type Syntax = { readonly type: string; readonly start: number } & Readonly<Record<string, any>>

const folder = "console/src"
const isTextFile = (path: string) => /\/texts(?:\/.*)?\.ts$/.test(path)
const pageFiles = ["pages", "oauth/pages", "web", "weblinks"].flatMap((name) =>
  filesBelow(`src/interfaces/${name}`, /\.ts$/)
)
const allFiles = [...filesBelow(folder, /\.tsx?$/), ...pageFiles]
const textFiles = allFiles.filter(isTextFile)
const components = allFiles.filter((path) => !isTextFile(path))

/** Texts that stay, as they stand, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  Millrace: "a name is not translated",
  "… Millrace": "the name beside the logo",
  "Your account": "the key of a section, which the search also shows (ui/search/pagesByName.ts)",
  "⌘K": "a key",
  "Ctrl K": "a key",
  "smtp.example.com": "an example of an address",
  "https://": "the beginning of an address",
  "https://login.example.com/oauth/token": "an example of an address",
  "data/items": "an example of a path",
  "Mac OS X": "a name in a browser's header"
}

const shownAttributes = new Set(
  "alt aria-description aria-label aria-roledescription aria-valuetext failed heading hint label lead placeholder show title unused what yes".split(
    " "
  )
)
/** Elements whose content is code. */
const codeElements = new Set(["code", "kbd", "pre"])

/** Modules whose phrases are no texts of the console, with the reason. */
const otherContent: Readonly<Record<string, string>> = {
  [`${folder}/pages/start/sampleApp.ts`]: "fields and records of the sample app",
  [`${folder}/pages/start/templates.ts`]: "fields and comments of the sample app",
  [`${folder}/pages/automations/editor/script/place.ts`]: "declarations in TypeScript",
  "src/interfaces/web/formBody.ts": "errors of OAuth endpoints, for programs",
  "src/interfaces/weblinks/pages.ts": "names of headers"
}

/** A capital and several words: a sentence, a label or the beginning of one. */
const isPhrase = (text: string) => /^\p{Lu}\p{Ll}+,? [\p{L}…]/u.test(text)
const hasLetters = (text: string) => /\p{L}/u.test(text)

const childrenOf = (node: Syntax): ReadonlyArray<Syntax> =>
  Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter((child) => typeof child?.type === "string")
  )

/** Strings that an expression may be, without those that it compares or looks up. */
const stringsOf = (node: Syntax): ReadonlyArray<string> => {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : []
    case "TemplateLiteral":
      return [node["quasis"].map((quasi: Syntax) => quasi["value"].cooked).join("…")]
    case "ConditionalExpression":
      return [node["consequent"], node["alternate"]].flatMap(stringsOf)
    case "LogicalExpression":
      return [...(node["operator"] === "&&" ? [] : stringsOf(node["left"])), ...stringsOf(node["right"])]
    case "JSXExpressionContainer":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return stringsOf(node["expression"])
    default:
      return []
  }
}

/** Words of a template of HTML outside of its tags, and in attributes that are shown. A template without tags is a part of one. */
const wordsOfHtml = (template: Syntax): ReadonlyArray<string> => {
  const markup: string = template["quasis"].map((quasi: Syntax) => quasi["value"].raw).join("…")
  if (!markup.includes("<") && markup.startsWith(" ")) return []
  return [
    markup.replaceAll(/<code>[^<]*<\/code>|<[^<>]*>/g, "\n"),
    ...[...markup.matchAll(/\b(?:alt|aria-label|placeholder|title)="([^"]*)"/g)].map(([, text]) => text!)
  ].flatMap((text) => text.split("\n"))
}

const nameOf = (element: Syntax): string => element["openingElement"].name.name ?? ""

/** Texts of a component that stand in it, with their lines. */
const textsIn = (path: string, source: string): ReadonlyArray<string> => {
  const texts = new Set<string>()
  const holdsContent = path in otherContent
  const add = ({ start }: Syntax, text: string) => {
    if (hasLetters(text) && !(text.trim() in exceptions))
      texts.add(`${path}:${source.slice(0, start).split("\n").length}: ${text.trim().replaceAll(/\s+/g, " ")}`)
  }
  const visit = (node: Syntax) => {
    if (node.type === "JSXElement" && codeElements.has(nameOf(node))) return
    if (node.type === "TaggedTemplateExpression" && node["tag"].name === "html")
      for (const text of wordsOfHtml(node["quasi"])) add(node, text)
    if (node.type === "JSXText") add(node, node["value"])
    else if (node.type === "Literal" || node.type === "TemplateLiteral") {
      if (!holdsContent) for (const text of stringsOf(node).filter(isPhrase)) add(node, text)
    } else if (node.type === "JSXAttribute") {
      if (shownAttributes.has(node["name"].name) && node["value"] !== null)
        for (const text of stringsOf(node["value"])) add(node, text)
    } else if (node.type === "JSXElement" || node.type === "JSXFragment")
      for (const child of node["children"].filter(({ type }: Syntax) => type === "JSXExpressionContainer"))
        for (const text of stringsOf(child)) add(child, text)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }, path) as unknown as Syntax)
  return [...texts]
}

interface Group {
  readonly path: string
  readonly name: string
  readonly keys: ReadonlyArray<string>
}

/** Exported objects of texts, with their keys. */
const groupsOf = (path: string): ReadonlyArray<Group> =>
  (parseAst(read(path), { lang: "ts" }, path) as unknown as Syntax)["body"]
    .map((statement: Syntax) => statement["declaration"]?.declarations?.[0])
    .filter((declaration: Syntax | undefined) => declaration?.["init"]?.expression?.type === "ObjectExpression")
    .map(({ id, init }: Syntax) => ({
      path,
      name: id.name,
      keys: init.expression.properties.map(({ key }: Syntax) => String(key["name"] ?? key["value"]))
    }))

/** Name that a component gives to a group. */
const localNameOf = (source: string, group: string) =>
  new RegExp(`import \\{[^}]*\\b${group}(?: as (\\w+))?[^}]*\\} from "[^"]*/texts(?:/|\\.ts)`).exec(source)

const isUsed = (sources: ReadonlyArray<string>, { name }: Group, key: string) =>
  sources.some((source) => {
    const imported = localNameOf(source, name)
    if (imported === null) return false
    const local = imported[1] ?? name
    // A table is used as a whole.
    return source.includes(`${local}.${key}`) || new RegExp(`[=(] ?${local}\\b(?![.\\w])`).test(source)
  })

describe("texts of the console and the pages", () => {
  it("stand in modules of texts", () => {
    assert.isAbove(components.length, 300)
    assert.deepStrictEqual(
      components.flatMap((path) => textsIn(path, read(path))),
      []
    )
  })

  it("are seen wherever a component may hold one", () => {
    const source = `const A = () => <p title={on ? "Pause it" : texts.resume} className="quiet small">
      Some words <b>{count === 1 ? "one" : texts.many}</b>{name === "key" && <code>npm start</code>}
      <input aria-label={\`Select \${name}\`} placeholder="Search" type="text" /> Millrace {texts.more}
    </p>
    const labels = { pause: "Pause the run", kind: "run_cancel", about: \`Run \${id} failed\`, keys: ["Enter", "ArrowUp"] }`
    assert.deepStrictEqual(textsIn("A.tsx", source), [
      "A.tsx:1: Pause it",
      "A.tsx:1: Some words",
      "A.tsx:2: one",
      "A.tsx:3: Select …",
      "A.tsx:3: Search",
      "A.tsx:5: Pause the run",
      "A.tsx:5: Run … failed"
    ])
  })

  it("are seen in templates of pages as well", () => {
    const source = `const a = html\`<p class="big card">Go on \${x} <a href="/start page">here</a></p><b title="Why">\${y}</b>\`
    const b = html\` selected disabled\`, c = html\`\${texts.on} <code>npm start</code>\``
    assert.deepStrictEqual(textsIn("a.ts", source), ["a.ts:1: Go on …", "a.ts:1: here", "a.ts:1: Why"])
  })

  it("are all shown somewhere", () => {
    const sources = components.map(read)
    const groups = textFiles.flatMap(groupsOf)
    assert.isAbove(groups.length, 200)
    assert.deepStrictEqual(
      groups.flatMap((group) =>
        group.keys.filter((key) => !isUsed(sources, group, key)).map((key) => `${group.path}: ${group.name}.${key}`)
      ),
      []
    )
  })
})
