// Which workspaces may use a secret, a mail account or a provider of the organization (decisions A26): all of them, or those that are
// ticked. A private workspace that its reader does not see is told by its number, so that a change does not take it away unseen.
import type { AnswerOf } from "@millrace/client"
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { allowedField as texts } from "../../texts/admin/secrets.ts"
import { workspaces } from "./adminQueries.ts"
import { WorkspacePicks } from "./WorkspacePicks.tsx"

export type Allowed = AnswerOf<"mailAccounts.list">["smtp_accounts"][number]["allowed"]

export const nobody: Allowed = { workspace_ids: [] }

interface AllowedFieldProps {
  readonly value: Allowed
  readonly change: (value: Allowed) => void
}
export const AllowedField = ({ value, change }: AllowedFieldProps) => {
  const id = useId()
  const visibleWorkspaces = useQuery(workspaces).data?.workspaces ?? []
  const chosenIds = value === "all" ? [] : value.workspace_ids
  const unseen = chosenIds.filter((one) => !visibleWorkspaces.some(({ workspace_id }) => workspace_id === one))
  const options = [
    ...visibleWorkspaces.map(({ name, workspace_id }) => ({ workspace_id, name })),
    ...unseen.map((workspace_id) => ({ workspace_id, name: texts.privateWorkspaceId(workspace_id) }))
  ]
  return (
    <fieldset className="field">
      <legend>{texts.whoMayUseIt}</legend>
      <label htmlFor={`${id}-all`}>
        <input
          id={`${id}-all`}
          type="checkbox"
          checked={value === "all"}
          onChange={() => change(value === "all" ? nobody : "all")}
        />{" "}
        {texts.allWorkspacesPrivateAndLater}
      </label>
      {value !== "all" && (
        <WorkspacePicks
          workspaces={options}
          chosenIds={chosenIds}
          change={(workspace_ids) => change({ workspace_ids })}
        />
      )}
      <small className="muted">{texts.adminsOfTheseWorkspacesCan}</small>
    </fieldset>
  )
}

/** Describes the allowed workspaces in a row of a list. */
export const AllowedWords = ({ allowed }: { readonly allowed: Allowed }) => {
  const visibleWorkspaces = useQuery(workspaces).data?.workspaces ?? []
  if (allowed === "all") return texts.forAllWorkspaces
  const names = allowed.workspace_ids.map(
    (one) => visibleWorkspaces.find(({ workspace_id }) => workspace_id === one)?.name ?? texts.privateWorkspaceOne(one)
  )
  return <>{names.length === 0 ? texts.forNoWorkspaceYet : texts.forNames(names.join(", "))}</>
}
