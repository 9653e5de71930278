import { isOfReconciler, testPages } from "./every-page.ts";

testPages((page) => !isOfReconciler(page));
