// A secret, chosen by its name among those of the app, its workspace and the organization. Its value is never shown.
import { useQueries, useQuery } from "@tanstack/react-query"
import { appOf } from "../../../../api/queries.ts"
import { secretsOf } from "../../../admin/secretQueries.ts"
import { useEditor } from "../context.ts"
import type { Reference } from "../model/definition.ts"

interface SecretSelectProps {
  readonly id: string
  readonly value: unknown
  readonly onChange: (value: Reference | undefined) => void
}

export const SecretSelect = ({ id, onChange, value }: SecretSelectProps) => {
  const { app } = useEditor()
  const workspaceId = useQuery(appOf(app.app_id)).data?.workspace_id
  const names = useQueries({
    queries: [
      secretsOf(`app:${app.app_id}`),
      secretsOf("org"),
      ...(workspaceId === undefined ? [] : [secretsOf(`workspace:${workspaceId}`)])
    ],
    combine: (answers) => [...new Set(answers.flatMap(({ data }) => (data?.secrets ?? []).map(({ name }) => name)))]
  }).toSorted((one, other) => (one < other ? -1 : 1))
  const chosen = (value as Reference | undefined)?.["name"]
  const chosenName = typeof chosen === "string" ? chosen : ""
  const choices = chosenName === "" || names.includes(chosenName) ? names : [chosenName, ...names]
  return (
    <select
      id={id}
      value={chosenName}
      onChange={({ target }) =>
        onChange(target.value === "" ? undefined : { kind: "variable", source: "secret", name: target.value })
      }
    >
      <option value="">{choices.length === 0 ? "No secret is there yet" : "Choose"}</option>
      {choices.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
