# A formula of Homebrew that builds this clone: brew install --HEAD --formula packaging/tidegate.rb
#
# The formula was not tried.
class Tidegate < Formula
  desc "Local Parse API that works offline and syncs with a remote Parse Server"
  license "Apache-2.0"
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "esbuild" => :build
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "gdk-pixbuf"
  depends_on "gnutls"
  depends_on "libmicrohttpd"
  depends_on "libsodium"
  depends_on :macos
  depends_on "openssl@3"
  depends_on "wslay"

  def install
    # Homebrew has a sandbox of its own.
    %w[tidegate tidegate-thumbnail].each do |program|
      system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", program
      bin.install ".build/release/#{program}"
    end
    system "scripts/bundle-page", buildpath/"page"
    (share/"tidegate").install "openapi.yaml", buildpath/"page" => "web"
    system "packaging/manual", bin/"tidegate", man1
    man1.install "packaging/tidegate-thumbnail.1"
    generate_completions_from_executable(bin/"tidegate", "--generate-completion-script")
  end

  service do
    run [opt_bin/"tidegate", "serve"]
    keep_alive successful_exit: false
    log_path var/"log/tidegate.log"
    error_log_path var/"log/tidegate.log"
  end

  test do
    assert_match(/\A\d+\.\d+\.\d+\s*\z/, shell_output("#{bin}/tidegate --version"))
  end
end
