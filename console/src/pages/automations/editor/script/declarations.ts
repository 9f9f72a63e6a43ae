// Reads the members of types from the declarations that the service gives (docs/scripts.md): CodeMirror's own parser of TypeScript parses
// their text once. Types are texts; the meaning of a text is looked up on demand. There is no type check: an undeclared name has no
// members.
import { typescriptLanguage } from "@codemirror/lang-javascript"

export type SyntaxNode = ReturnType<typeof typescriptLanguage.parser.parse>["topNode"]

export interface Member {
  readonly name: string
  /** TypeScript: of a method as a function, of an optional member with `undefined`. */
  readonly type: string
  readonly doc: string
}

export interface Declarations {
  readonly membersOf: (type: string) => ReadonlyArray<Member>
  /** Parts that a type consists of: their names, with the arguments between angle brackets. */
  readonly partsOf: (type: string) => ReadonlyArray<TypePart>
}

/** Member of a union. */
type TypePart =
  | { readonly kind: "named"; readonly name: string; readonly args: ReadonlyArray<string> }
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "function"; readonly gives: string }
  | { readonly kind: "object"; readonly members: ReadonlyArray<Member> }

interface Owner {
  readonly members: ReadonlyArray<Member>
  readonly statics: ReadonlyArray<Member>
  readonly parents: ReadonlyArray<string>
  readonly alias?: string
}

const childrenOf = (node: SyntaxNode) => {
  const children: Array<SyntaxNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const memberNodes = new Set(["PropertyType", "MethodType", "PropertyDeclaration", "MethodDeclaration"])

const comment = /\/\*+((?:(?!\*\/)[\s\S])*)\*\//g

/** The words of the comment that a node stands behind, without its stars. A type before it may have taken the comment into itself. */
const docBefore = (source: string, { from }: SyntaxNode) =>
  (/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, from))?.[1] ?? "").replace(/^\s*\* ?/gm, "").trim()

const memberOf = (source: string, node: SyntaxNode): (Member & { readonly fixed: boolean }) | undefined => {
  const text = ({ from, to }: { from: number; to: number }) => source.slice(from, to)
  const parts = childrenOf(node)
  const named = parts.find(({ name }) => name === "PropertyDefinition" || name === "String")
  const annotation = parts.findLast(({ name }) => name === "TypeAnnotation")
  if (named === undefined || text(named) === "constructor") return undefined
  const annotatedType = annotation === undefined ? "any" : text(annotation).slice(1).replace(comment, "").trim()
  const paramList = parts.find(({ name }) => name === "ParamList")
  return {
    name: named.name === "String" ? (JSON.parse(text(named)) as string) : text(named),
    type:
      paramList === undefined
        ? `${annotatedType}${parts.some(({ name }) => name === "Optional") ? " | undefined" : ""}`
        : `${text({ from: parts.find(({ name }) => name === "TypeParamList")?.from ?? paramList.from, to: paramList.to })} => ${annotatedType}`,
    doc: docBefore(source, node),
    fixed: parts.some(({ name }) => name === "static")
  }
}

const membersIn = (source: string, body: SyntaxNode) =>
  childrenOf(body).flatMap((node) => (memberNodes.has(node.name) ? (memberOf(source, node) ?? []) : []))

const ownersIn = (source: string): ReadonlyArray<readonly [string, Owner]> => {
  const owners: Array<readonly [string, Owner]> = []
  const text = ({ from, to }: SyntaxNode) => source.slice(from, to)
  typescriptLanguage.parser.parse(source).iterate({
    enter: ({ name, node }) => {
      const parts = childrenOf(node)
      const called = parts.find((part) => part.name === "TypeDefinition" || part.name === "VariableDefinition")
      if (name === "TypeAliasDeclaration" && called !== undefined)
        owners.push([text(called), { members: [], statics: [], parents: [], alias: text(node.lastChild!) }])
      if ((name !== "InterfaceDeclaration" && name !== "ClassDeclaration") || called === undefined) return
      const body = parts.at(-1)!
      const members = membersIn(source, body)
      owners.push([
        text(called),
        {
          members: members.filter(({ fixed }) => !fixed),
          statics: members.filter(({ fixed }) => fixed),
          parents: parts.flatMap((part) => (part.name === "TypeName" ? [text(part)] : []))
        }
      ])
    }
  })
  return owners
}

const partsIn = (source: string, node: SyntaxNode): ReadonlyArray<TypePart> => {
  const text = (part: SyntaxNode) => source.slice(part.from, part.to)
  const inner = childrenOf(node)
  switch (node.name) {
    case "TypeName":
      return [{ kind: "named", name: text(node), args: [] }]
    case "ParameterizedType":
      return [
        {
          kind: "named",
          name: text(inner[0]!),
          args: childrenOf(inner[1]!).flatMap((part) => (/^[<>,]$/.test(part.name) ? [] : [text(part)]))
        }
      ]
    case "ArrayType":
      return [{ kind: "named", name: "Array", args: [text(inner[0]!)] }]
    case "LiteralType":
      return [{ kind: "named", name: inner[0]?.name === "Number" ? "number" : "string", args: [] }]
    case "TypeofType":
      return inner[1]?.name === "VariableName" ? [{ kind: "class", name: text(inner[1]) }] : []
    case "FunctionSignature":
      return [{ kind: "function", gives: text(node.lastChild!) }]
    case "ObjectType":
      return [{ kind: "object", members: membersIn(source, node) }]
    case "UnionType":
    case "ParenthesizedType":
    case "ReadonlyType":
      return inner.flatMap((part) => partsIn(source, part))
    default:
      return []
  }
}

const readAs = (source: string): Declarations => {
  const owners = new Map(ownersIn(source))
  const partsByType = new Map<string, ReadonlyArray<TypePart>>()
  const partsOf = (type: string): ReadonlyArray<TypePart> => {
    const knownParts = partsByType.get(type)
    if (knownParts !== undefined) return knownParts
    const aliasSource = `type It = ${type}`
    const node = typescriptLanguage.parser.parse(aliasSource).topNode.firstChild?.lastChild
    const parts = (node == null ? [] : partsIn(aliasSource, node)).flatMap((part) => {
      const alias = part.kind === "named" ? owners.get(part.name)?.alias : undefined
      return alias === undefined || alias === type ? [part] : partsOf(alias)
    })
    partsByType.set(type, parts)
    return parts
  }
  const membersOf = (type: string): ReadonlyArray<Member> => {
    const allMembers = partsOf(type).flatMap((part): ReadonlyArray<Member> => {
      if (part.kind === "object") return part.members
      if (part.kind === "function") return []
      const owner = owners.get(part.name)
      if (owner === undefined) return []
      return part.kind === "class" ? owner.statics : [...owner.parents.flatMap(membersOf), ...owner.members]
    })
    // A later declaration, the type's own, replaces its parent's.
    return [...new Map(allMembers.map((member) => [member.name, member])).values()]
  }
  return { membersOf, partsOf }
}

let lastReading: { readonly source: string; readonly read: Declarations } | undefined

/** Read when they are first asked for, and again only where the text is another one. */
export const declarationsOf = (source: string): Declarations => {
  if (lastReading?.source !== source) lastReading = { source, read: readAs(source) }
  return lastReading.read
}
