// The workspaces that the reader may see, and a new one.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { workspacesPage as texts } from "../../texts/admin/workspaces.ts"
import { Asked, Empty } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { workspaces } from "./adminQueries.ts"
import { NewWorkspace } from "./NewWorkspace.tsx"
import { workspaceTypes } from "./workspaceWords.ts"

const List = () => (
  <Asked query={useQuery(workspaces)} failed={texts.loadingWorkspacesFailed}>
    {({ workspaces: all }) =>
      all.length === 0 ? (
        <Empty title={texts.noWorkspacesYet}>
          <p>{texts.appsLieInWorkspaces}</p>
        </Empty>
      ) : (
        <ul className="plain card people">
          {all.map(({ description, name, type, workspace_id }) => (
            <li key={workspace_id} className="person">
              <div>
                <Link to="/admin/workspaces/$workspaceId" params={{ workspaceId: String(workspace_id) }}>
                  {name}
                </Link>
                {description !== null && <small className="muted">{description}</small>}
              </div>
              <Tag title={workspaceTypes[type].about}>{workspaceTypes[type].word}</Tag>
            </li>
          ))}
        </ul>
      )
    }
  </Asked>
)

export const WorkspacesPage = () => (
  <AdminPage at="/admin/workspaces" actions={() => <NewWorkspace />}>
    {() => <List />}
  </AdminPage>
)
