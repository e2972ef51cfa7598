// A site that is opened from a disk has no server that would turn a folder into its page.
if (location.protocol === "file:") {
  for (const link of document.links) {
    if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  }
}
