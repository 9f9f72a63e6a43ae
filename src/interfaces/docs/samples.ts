// A request of an operation as it is typed into a terminal, with ids in the places of its parameters.
import type { Operation } from "../../api/description/operationsIn.ts"

const byName: Readonly<Record<string, number>> = {
  app_id: 3,
  record_id: 907,
  hook_id: 12,
  automation_id: 21,
  workspace_id: 2,
  user_id: 5
}

/** Fills ids into the path's placeholders. */
export const pathOf = ({ parameters, path }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const type: unknown = parameters.find((one) => one.name === name)?.schema["type"]
    return String(byName[name] ?? (type === "integer" ? 1 : name))
  })

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** `$BASE` and `$TOKEN` are the reader's. */
export const curlOf = (operation: Operation, body: unknown): string => {
  const lines = [`curl "$BASE${pathOf(operation)}"`]
  if (operation.method !== "GET" && !(operation.method === "POST" && operation.body !== undefined))
    lines.push(`-X ${operation.method}`)
  if (!operation.open) lines.push(`-H "Authorization: Bearer $TOKEN"`)
  if (operation.body?.type === "application/json") {
    lines.push(`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(body))}`)
  } else if (operation.body !== undefined) lines.push("-F file=@picture.png")
  return lines.join(" \\\n  ")
}
