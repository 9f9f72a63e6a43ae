// Shows a workspace: its members and their roles, which its admins change. Others may join and leave if its kind allows.
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { users } from "../../api/queries.ts"
import { workspacePage as texts } from "../../texts/admin/workspaces.ts"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { AddToWorkspace } from "./AddToWorkspace.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { membersOf, useChange, workspaces } from "./adminQueries.ts"
import type { Role } from "./places.ts"
import { WorkspaceMemberRow } from "./WorkspaceMemberRow.tsx"
import { administersWorkspace, type Workspace, workspaceTypes } from "./workspaceWords.ts"

interface MembersProps {
  readonly workspace: Workspace
  readonly role: Role
  readonly userId: number
}
const Members = ({ workspace, role, userId }: MembersProps) => {
  const { type, workspace_id } = workspace
  const members = useQuery(membersOf(workspace_id))
  const people = useQuery(users)
  const join = useChange(
    () => client.workspaces.memberPut({ workspace_id, body: { user_id: userId, role: "member" } }),
    [["workspaces"], ["apps"]]
  )
  return (
    <Asked query={members} failed={texts.loadingMembersFailed}>
      {({ workspace_members: all }) => (
        <Asked query={people} failed={texts.loadingPeopleFailed}>
          {({ users: everybody }) => {
            const mayChange = administersWorkspace(role, userId, workspace, all)
            const without = everybody.filter(
              ({ status, user_id }) => status !== "deactivated" && !all.some((one) => one.user_id === user_id)
            )
            return (
              <section aria-labelledby="members">
                <h2 id="members">{texts.members}</h2>
                {all.length === 0 ? (
                  <Empty title={texts.nobodyByName}>
                    <p>{workspaceTypes[type].about}</p>
                  </Empty>
                ) : (
                  <ul className="plain card people">
                    {all.map((member) => (
                      <WorkspaceMemberRow
                        key={member.user_id}
                        member={member}
                        person={everybody.find(({ user_id }) => user_id === member.user_id)}
                        mayChange={mayChange}
                        self={member.user_id === userId}
                      />
                    ))}
                  </ul>
                )}
                {type === "open" && !mayChange && all.every(({ user_id }) => user_id !== userId) && (
                  <button type="button" disabled={join.isPending} onClick={() => join.mutate(undefined)}>
                    {texts.joinTheWorkspace}
                  </button>
                )}
                {join.isError && <Failure what={texts.youDidNotJoin} error={join.error} />}
                {mayChange && without.length > 0 && <AddToWorkspace workspaceId={workspace_id} people={without} />}
              </section>
            )
          }}
        </Asked>
      )}
    </Asked>
  )
}

const OneWorkspace = ({ id, role, userId }: { readonly id: number; readonly role: Role; readonly userId: number }) => (
  <Asked query={useQuery(workspaces)} failed={texts.loadingTheWorkspaceFailed}>
    {({ workspaces: all }) => {
      const workspace = all.find(({ workspace_id }) => workspace_id === id)
      return workspace === undefined ? (
        <Empty title={texts.thereIsNoSuchWorkspace}>
          <p>{texts.itDoesNotExist}</p>
        </Empty>
      ) : (
        <Members workspace={workspace} role={role} userId={userId} />
      )
    }}
  </Asked>
)

export const WorkspacePage = () => {
  const id = Number(useParams({ from: "/admin/workspaces/$workspaceId" }).workspaceId)
  // Asked for below, once the role is known.
  const loadedWorkspaces = useQuery({ ...workspaces, enabled: false }).data?.workspaces
  const workspace = loadedWorkspaces?.find(({ workspace_id }) => workspace_id === id)
  return (
    <AdminPage
      at="/admin/workspaces"
      {...(workspace !== undefined && { title: workspace.name, lead: workspaceTypes[workspace.type].about })}
    >
      {(role, userId) => <OneWorkspace id={id} role={role} userId={userId} />}
    </AdminPage>
  )
}
