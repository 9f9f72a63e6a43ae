// A secret, chosen by its name among those of the app, its workspace and the organization. Its value is never shown.
import { useQueries, useQuery } from "@tanstack/react-query"
import { appOf } from "../../../../api/queries.ts"
import { secretSelect as texts } from "../../../../texts/automations/editorForm.ts"
import { ChoiceOfMany } from "../../../../ui/ChoiceOfMany.tsx"
import { secretsOf } from "../../../admin/secretQueries.ts"
import { useEditor } from "../context.ts"
import type { Reference } from "../model/definition.ts"
import type { Described } from "./described.ts"

interface SecretNameSelectProps extends Described {
  readonly value: unknown
  readonly onChange: (value: string | undefined) => void
}

export const SecretNameSelect = ({ onChange, value, ...described }: SecretNameSelectProps) => {
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
  const chosenName = typeof value === "string" ? value : ""
  const choices = chosenName === "" || names.includes(chosenName) ? names : [chosenName, ...names]
  return (
    <ChoiceOfMany
      {...described}
      value={chosenName === "" ? null : chosenName}
      none={choices.length === 0 ? texts.noSecretsYet : texts.choose}
      choices={choices.map((name) => [name, name])}
      onChange={onChange}
    />
  )
}

interface SecretSelectProps extends Described {
  readonly value: unknown
  readonly onChange: (value: Reference | undefined) => void
}

/** A select of the same secrets whose value is a reference to the secret. */
export const SecretSelect = ({ onChange, value, ...described }: SecretSelectProps) => (
  <SecretNameSelect
    {...described}
    value={(value as Reference | undefined)?.["name"]}
    onChange={(name) => onChange(name === undefined ? undefined : { kind: "variable", source: "secret", name })}
  />
)
