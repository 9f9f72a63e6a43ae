// The administration's first page: what there is for the reader's role.
import "./admin.css"
import { useQuery } from "@tanstack/react-query"
import { me } from "../../api/queries.ts"
import { adminStartPage as texts } from "../../texts/admin/admin.ts"
import { Page } from "../../ui/Page.tsx"
import { PlaceCards } from "../../ui/PlaceCards.tsx"
import { Asked } from "../../ui/states.tsx"
import { adminPlaces } from "./places.ts"

export const AdminStartPage = () => (
  <Page title={texts.administration} lead={texts.organizationItsPeople}>
    <Asked query={useQuery(me)} failed={texts.loadingYourRoleFailed}>
      {({ role }) => <PlaceCards places={adminPlaces.filter(({ opens }) => opens(role))} />}
    </Asked>
  </Page>
)
