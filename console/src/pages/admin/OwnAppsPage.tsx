// Apps that act for the reader in this organization, and the end of each.
import { useQuery } from "@tanstack/react-query"
import { Asked, Empty } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { ConnectionRow } from "./AppConnections.tsx"
import { ownConnections } from "./connectionQueries.ts"

const Own = () => (
  <Asked query={useQuery(ownConnections)} what="your apps">
    {({ connections }) =>
      connections.length === 0 ? (
        <Empty title="No app acts for you here">
          <p>An app asks you first, and you say what it may do.</p>
        </Empty>
      ) : (
        <>
          <ul className="plain card people">
            {connections.map((connection) => (
              <ConnectionRow key={connection.connection_id} connection={connection} by="app" />
            ))}
          </ul>
          <p className="muted">
            To come back, an app has to ask you again. Those of your other organizations are on{" "}
            <a href="/account/connections">your account</a>.
          </p>
        </>
      )
    }
  </Asked>
)

export const OwnAppsPage = () => <AdminPage at="/admin/my-apps">{() => <Own />}</AdminPage>
