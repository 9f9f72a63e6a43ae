// The type of an expression in a script, as far as declarations and names say: members, calls, `await`, what `const` and `for … of` keep. A guess
// for completion, so what is not understood has no type, and nothing is offered for it.
import type { Declarations, Member, SyntaxNode } from "./declarations.ts"
import { memberNames, ownNames } from "./language.ts"

export interface Script {
  readonly text: (node: SyntaxNode) => string
  /** The type of a name that the script finds. */
  readonly given: (name: string) => string | undefined
  readonly declarations: Declarations
}

type Type = string | undefined

/** Names that are kept for what the script itself makes: `object Math` is the standard object, not a value of such a class. */
const STANDARD = "object "

export const membersOfType = ({ declarations }: Script, type: Type): ReadonlyArray<Member> => {
  if (type === undefined) return []
  if (type.startsWith(STANDARD)) return ownNames(type.slice(STANDARD.length))
  // A class of the language may have more by declaration, such as Uint8Array: what is declared says more.
  const ofLanguage = declarations.partsOf(type).flatMap((part) => (part.kind === "named" ? memberNames(part.name) : []))
  const declared = declarations.membersOf(type)
  const undeclaredMembers = ofLanguage.filter(({ name }) => !declared.some((member) => member.name === name))
  return [...declared, ...new Map(undeclaredMembers.map((member) => [member.name, member])).values()]
}

const memberType = (script: Script, type: Type, name: string): Type =>
  membersOfType(script, type).find((member) => member.name === name)?.type

/** Type of a call's result. */
const givenBy = (script: Script, type: Type): Type => {
  const part =
    type === undefined ? undefined : script.declarations.partsOf(type).find(({ kind }) => kind === "function")
  return part?.kind === "function" ? part.gives : undefined
}

const argumentOf = (script: Script, type: Type, owners: ReadonlyArray<string>): Type => {
  const parts = type === undefined ? [] : script.declarations.partsOf(type)
  const part = parts.find((one) => one.kind === "named" && owners.includes(one.name))
  return part?.kind === "named" ? part.args[0] : undefined
}

/** Type that a destructuring pattern gives to a name inside of it: `{ data }`, `{ data: name }`. */
const throughPattern = (script: Script, definition: SyntaxNode, whole: Type): Type => {
  const property = definition.parent
  if (property?.name !== "PatternProperty" || property.parent?.name !== "ObjectPattern") return undefined
  const key = script.text(property.firstChild ?? definition)
  const owner = property.parent
  const outer = owner.parent?.name === "PatternProperty" ? throughPattern(script, owner, whole) : whole
  return memberType(script, outer, key)
}

/** The type that a `const`, `let` or `for … of` gives to its name. */
const typeOfDefinition = (script: Script, definition: SyntaxNode): Type => {
  let owner: SyntaxNode | null = definition.parent
  let top = definition
  while (owner !== null && /Pattern|PatternProperty/.test(owner.name)) {
    top = owner
    owner = owner.parent
  }
  if (owner?.name !== "VariableDeclaration" && owner?.name !== "ForOfSpec") return undefined
  let from = top.nextSibling
  while (from !== null && /^(?:Equals|of)$/.test(from.name)) from = from.nextSibling
  if (from === null || from.name === ",") return undefined
  const value = typeOf(script, from)
  const variableType = owner.name === "ForOfSpec" ? argumentOf(script, value, ["Array", "ReadonlyArray"]) : value
  return top === definition ? variableType : throughPattern(script, definition, variableType)
}

/** Declaration of a name, nearest before its use; a function's own names hide those around it. */
const definitionOf = (script: Script, use: SyntaxNode): SyntaxNode | undefined => {
  const name = script.text(use)
  let nearest: SyntaxNode | undefined
  let root = use
  while (root.parent !== null) root = root.parent
  root.cursor().iterate(({ name: kind, node }) => {
    if (kind === "VariableDefinition" && node.from < use.from && script.text(node) === name) nearest = node
  })
  return nearest
}

export const typeOf = (script: Script, node: SyntaxNode): Type => {
  const firstChild = node.firstChild
  switch (node.name) {
    case "String":
    case "TemplateString":
      return "string"
    case "Number":
      return "number"
    case "ArrayExpression":
      return "any[]"
    case "RegExp":
      return "RegExp"
    case "ParenthesizedExpression":
      return firstChild?.nextSibling == null ? undefined : typeOf(script, firstChild.nextSibling)
    case "AwaitExpression": {
      const awaited = firstChild?.nextSibling == null ? undefined : typeOf(script, firstChild.nextSibling)
      return argumentOf(script, awaited, ["Promise"]) ?? awaited
    }
    case "CallExpression":
      return firstChild === null ? undefined : givenBy(script, typeOf(script, firstChild))
    case "NewExpression":
      return firstChild?.nextSibling?.name === "VariableName" ? script.text(firstChild.nextSibling) : undefined
    case "MemberExpression": {
      const lastChild = node.lastChild
      const key = lastChild?.name === "]" ? lastChild.prevSibling : lastChild
      if (firstChild === null || key == null) return undefined
      const owner = typeOf(script, firstChild)
      if (key.name === "PropertyName") return memberType(script, owner, script.text(key))
      if (key.name === "String") return memberType(script, owner, script.text(key).slice(1, -1))
      return argumentOf(script, owner, ["Array", "ReadonlyArray"])
    }
    case "VariableName": {
      const definition = definitionOf(script, node)
      if (definition !== undefined) return typeOfDefinition(script, definition)
      const name = script.text(node)
      return script.given(name) ?? (ownNames(name).length > 0 ? `${STANDARD}${name}` : undefined)
    }
    default:
      return undefined
  }
}
