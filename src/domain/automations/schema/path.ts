// JSON paths of the form `filter.rows[1].rows[0]`, and the condition that a path lies in (service.md 7.2).

export type Path = ReadonlyArray<PropertyKey>

export const pathText = (path: Path): string => {
  let text = ""
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`
    else
      text += /^[A-Za-z_$][\w$]*$/.test(String(key))
        ? `${text === "" ? "" : "."}${String(key)}`
        : `[${JSON.stringify(String(key))}]`
  }
  return text
}

/** Returns the `id` of the innermost filter row on the path, if that row has one. */
const rowIdAt = (root: unknown, path: Path): string | undefined => {
  let node: any = root
  let id: string | undefined
  for (const [index, key] of path.entries()) {
    node = node?.[key]
    if (path[index - 1] === "rows" && typeof key === "number") {
      id = typeof node?.id === "string" && node.id !== "" ? node.id : undefined
    }
  }
  return id
}

export interface Mistake {
  readonly path: Path
  readonly message: string
}

/** Maximum of mistakes that are listed; the rest are counted. */
const SHOWN = 10

export const mistakesText = (mistakes: ReadonlyArray<Mistake>, root: unknown): string => {
  const lines = mistakes.slice(0, SHOWN).map(({ message, path }) => {
    const id = rowIdAt(root, path)
    const pathLabel = path.length === 0 ? "body" : pathText(path)
    return `${id === undefined ? "" : `condition ${JSON.stringify(id)} at `}${pathLabel}: ${message}`
  })
  if (mistakes.length > SHOWN) lines.push(`and ${mistakes.length - SHOWN} more`)
  return lines.join("\n")
}
