// Tells whoever takes a picture of the page that nothing more will change by itself.

Promise.allSettled(pending)
  .then(() => Promise.allSettled(pending))
  .then(() => {
    document.documentElement.dataset.ready = "";
  });
