// The administration's first page: what there is for the reader's role.
import "./admin.css"
import { useQuery } from "@tanstack/react-query"
import { me } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { PlaceCards } from "../../ui/PlaceCards.tsx"
import { Asked } from "../../ui/states.tsx"
import { adminPlaces } from "./places.ts"

export const AdminStartPage = () => (
  <Page title="Administration" lead="The organization, its people and what may act for them.">
    <Asked query={useQuery(me)} what="your role">
      {({ role }) => <PlaceCards places={adminPlaces.filter(({ opens }) => opens(role))} />}
    </Asked>
  </Page>
)
