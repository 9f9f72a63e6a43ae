// Secrets by name, of the organization, a workspace or an app. Values are written here and never read back (developer-api.md 7.13).
import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { apps } from "../../api/queries.ts"
import { secretsPage as texts } from "../../texts/admin/secrets.ts"
import { type Choice, ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { buildable } from "../apps/appQueries.ts"
import { AddSecret } from "./AddSecret.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { administers, type Role } from "./places.ts"
import { SecretRow } from "./SecretRow.tsx"
import { type SecretOwner, secretsOf } from "./secretQueries.ts"

interface OwnerChoiceProps {
  readonly owner: SecretOwner
  readonly choose: (owner: SecretOwner) => void
}
/** Chooses the owner of a secret. Secrets of a workspace and its apps are for its admins only: others are not offered them. */
const OwnerChoice = ({ owner, choose }: OwnerChoiceProps) => {
  const id = useId()
  const buildableWorkspaces = useQuery(buildable).data ?? []
  const allApps = useQuery(apps).data?.apps ?? []
  if (buildableWorkspaces.length === 0) return null
  const choices: ReadonlyArray<Choice<SecretOwner>> = [
    ["org", texts.organizationForWorkspaces],
    ...buildableWorkspaces.flatMap(
      ({ name, workspace_id }): ReadonlyArray<Choice<SecretOwner>> => [
        [`workspace:${workspace_id}`, texts.forAllItsApps(name), name],
        ...allApps
          .filter((app) => app.workspace_id === workspace_id)
          .map((app): Choice<SecretOwner> => [`app:${app.app_id}`, texts.forThisAppAlone(app.name), name])
      ]
    )
  ]
  return (
    <div className="field choice">
      <label htmlFor={id}>{texts.secretsOf}</label>
      <ChoiceOfMany
        id={id}
        value={owner}
        required
        choices={choices}
        onChange={(one) => one !== undefined && choose(one)}
      />
    </div>
  )
}

const Secrets = ({ role }: { readonly role: Role }) => {
  const [owner, setOwner] = useState<SecretOwner>("org")
  const mayManage = owner !== "org" || administers(role)
  return (
    <>
      <OwnerChoice owner={owner} choose={setOwner} />
      <Asked query={useQuery(secretsOf(owner))} failed={texts.loadingSecretsFailed}>
        {({ secrets }) =>
          secrets.length === 0 ? (
            <Empty title={texts.noSecretsHere}>
              <p>{mayManage ? texts.keepPasswordsAndKeysHere : texts.ownersAndAdmins}</p>
            </Empty>
          ) : (
            <ul className="plain card people">
              {secrets.map((secret) => (
                <SecretRow key={secret.secret_id} secret={secret} mayManage={mayManage} />
              ))}
            </ul>
          )
        }
      </Asked>
      {mayManage && <AddSecret key={owner} owner={owner} />}
    </>
  )
}

export const SecretsPage = () => <AdminPage at="/admin/secrets">{(role) => <Secrets role={role} />}</AdminPage>
